"""Two functions read a number back through one helper: one instruction makes a copy that waits, and a wait after it."""
from collections import deque
from functools import partial

from launch_helper import cu, launch, make_buffers, stream

device, host = make_buffers()
reads = [partial(cu.cuMemcpyDtoHAsync_v2, host, device, 4, stream), partial(cu.cuStreamSynchronize, stream)]


def item():
    deque(map(partial.__call__, reads), maxlen=0)


def often():
    item()


def seldom():
    item()


for step in range(400):
    launch()
    seldom() if step % 7 == 6 else often()
    cu.cuStreamSynchronize(stream)
