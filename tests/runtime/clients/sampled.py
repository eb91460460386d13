"""Between CUDA calls the host sleeps, computes, waits at a queue, and waits for Python's global lock. Prints how many ms
of each, and for how many of those it was ready and waited for a processor."""
import queue
import sys
import threading
import time

from launch_helper import cu, launch, stream

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
    delay = waited_for_processor_ms()
    while time.monotonic() < end:
        pass
    times["held_up"][1] += waited_for_processor_ms() - delay


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


def waited_for_processor_ms():
    try:
        with open("/proc/thread-self/schedstat", encoding="ascii") as file:
            return int(file.read().split()[1]) / 1e6
    except OSError:
        return 0.0


times = {"compute": [0.0, 0.0], "sleep": [0.0, 0.0], "queue": [0.0, 0.0], "held_up": [0.0, 0.0]}


def take(name, work):
    call()
    delay, start = waited_for_processor_ms(), time.monotonic()
    work()
    took = times[name]
    took[0] += 1e3 * (time.monotonic() - start)
    took[1] += waited_for_processor_ms() - delay


loader = threading.Thread(target=answer_late)
loader.start()
for _ in range(ROUNDS):
    take("compute", lambda: compute(time.monotonic() + SECONDS))
    take("sleep", sleep_a_while)
    take("queue", wait_for_item)
    take("held_up", be_held_up)
asked.put(None)
loader.join()
for part, (ms, delay_ms) in times.items():
    print(f"{part} 0 {ms} {delay_ms}")
print("done")
