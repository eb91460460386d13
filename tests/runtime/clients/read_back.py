"""Two functions read a number back through one helper: a copy that waits, and a wait that has nothing to wait for."""
import ctypes

from asked_helper import cu, launch, stream

device = ctypes.c_uint64()
cu.cuMemAlloc_v2(ctypes.byref(device), 64)
host = ctypes.create_string_buffer(64)


def item():
    cu.cuMemcpyDtoHAsync_v2(host, device, 4, stream)
    cu.cuStreamSynchronize(stream)


def often():
    item()


def seldom():
    item()


for step in range(400):
    launch()
    seldom() if step % 7 == 6 else often()
    cu.cuStreamSynchronize(stream)
