"""One of two functions asks a helper after `before`, which at other times comes before `between`: a fork in three."""
from launch_helper import cu, kernel, launch, stream


def often():
    launch()


def seldom():
    launch()


def before():
    cu.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, None, None)


def between():
    cu.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, None, None)


calls = [before, often] * 300
for step in range(10000):
    calls += [before, between, before, seldom if step % 5 == 4 else often]
for call in calls:
    call()
