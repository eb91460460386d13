"""What a trainer itself knows of its steps: call `tick()` once a step; at the end two lines say how many and how long.

The lines "first step" and "ms_per_step" are those between which run_overhead.py takes the time."""
import atexit
import os
import statistics
import time

_ticks = []


WARM_UP = 10


def tick():
    _ticks.append(time.perf_counter())
    if len(_ticks) == WARM_UP:
        print("first step", flush=True)


def tell():
    lengths = [b - a for a, b in zip(_ticks, _ticks[1:])]
    if lengths:
        rank = os.environ.get("RANK", "0")
        print(f"truth: rank={rank} steps={len(_ticks)} median_ms={1e3 * statistics.median(lengths):.4f} "
              f"mean_ms={1e3 * statistics.mean(lengths):.4f}")
        print(f"ms_per_step {1e3 * statistics.mean(lengths[WARM_UP - 1:] or lengths):.4f}", flush=True)


atexit.register(tell)
