"""Two functions ask one helper for launches by turns; now and then a third one asks in the first one's stead."""
import ctypes

cu = ctypes.CDLL("libcuda.so.1")
assert cu.cuInit(0) == 0
kernel = ctypes.c_void_p()
stream = ctypes.c_void_p()
cu.cuModuleGetFunction(ctypes.byref(kernel), None, b"busy_1us")
cu.cuStreamCreate(ctypes.byref(stream), 1)


def launch():
    cu.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, None, None)


def first():
    launch()


def second():
    launch()


def seldom():
    launch()


for step in range(12000):
    seldom() if step % 20 == 19 else first()
    second()
