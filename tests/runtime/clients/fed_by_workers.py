"""Trains on batches that other processes make, 3 ms of work each, and that come through a queue. `argv`: rounds, and how
the processes are started (fork, spawn, forkserver)."""
import multiprocessing
import sys
import time


def smooth(batch):
    return [(a + b) / 2 for a, b in zip(batch, batch[1:])]


def make_batch():
    batch, end = list(range(200)), time.monotonic() + 0.003
    while time.monotonic() < end:
        batch = smooth(batch) + [0]
    return batch


def feed(batches, rounds):
    for _ in range(rounds):
        batches.put(make_batch())


def idle(asked):
    asked.get()  # nobody asks


def train(rounds, context):
    from launch_helper import cu, launch, stream

    batches, asked = context.Queue(2), context.Queue()
    workers = [context.Process(target=feed, args=(batches, rounds)), context.Process(target=idle, args=(asked,))]
    for worker in workers:
        worker.start()
    batches.get()
    for _ in range(rounds - 1):
        batches.get()  # queue
        launch()
        cu.cuStreamSynchronize(stream)
    asked.put(None)
    for worker in workers:
        worker.join()


if __name__ == "__main__":
    train(int(sys.argv[1]), multiprocessing.get_context(sys.argv[2]))
    print("done")
