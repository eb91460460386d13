"""After one copy that waits, one helper waits again: for the one function first, and for the other one later."""
from launch_helper import cu, launch, make_buffers, stream

device, host = make_buffers()


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
