"""Two functions ask one helper for launches by turns; now and then a third one asks in the first one's stead."""
from launch_helper import launch


def first():
    launch()


def second():
    launch()


def seldom():
    launch()


for step in range(12000):
    seldom() if step % 20 == 19 else first()
    second()
