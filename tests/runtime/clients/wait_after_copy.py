"""After one copy that waits, one helper waits again: for the one function first, and for the other one later."""
import ctypes

from asked_helper import cu, launch, stream

device = ctypes.c_uint64()
cu.cuMemAlloc_v2(ctypes.byref(device), 64)
host = ctypes.create_string_buffer(64)


def read():
    cu.cuMemcpyDtoHAsync_v2(host, device, 4, stream)


def synchronize():
    cu.cuStreamSynchronize(stream)


def often():
    synchronize()


def seldom():
    synchronize()


for step in range(200):
    launch()
    read()
    often() if step < 150 else seldom()
