"""Between CUDA calls the host sleeps, computes, waits at a queue, and waits for Python's global lock."""
import queue
import sys
import threading
import time

from asked_helper import cu, launch, stream

ROUNDS, SECONDS = int(sys.argv[1]), 0.02
asked, answers = queue.Queue(), queue.Queue()


def add(a, b):
    return a + b


def compute(end):
    total = 0
    while time.monotonic() < end:
        for i in range(50):
            total = add(total, i)  # compute
    return total


def sleep_a_while():
    time.sleep(SECONDS)  # sleep


def answer_late():
    while asked.get() is not None:
        time.sleep(SECONDS)
        answers.put(1)


def wait_for_item():
    asked.put(1)
    return answers.get()  # queue


def hold_global_lock(end):
    while time.monotonic() < end:
        pass


def be_held_up():
    end = time.monotonic() + SECONDS
    holder = threading.Thread(target=hold_global_lock, args=(end,))
    holder.start()
    while time.monotonic() < end:
        time.sleep(0)  # interpreter
    holder.join()


def call():
    launch()
    cu.cuStreamSynchronize(stream)


loader = threading.Thread(target=answer_late)
loader.start()
for _ in range(ROUNDS):
    call()
    compute(time.monotonic() + SECONDS)
    call()
    sleep_a_while()
    call()
    wait_for_item()
    call()
    be_held_up()
asked.put(None)
loader.join()
print("done")
