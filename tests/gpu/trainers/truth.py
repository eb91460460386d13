"""What a trainer itself knows of its steps: call `tick()` once a step; at the end two lines say how many and how long.

The lines "first step" and "ms_per_step" are those between which run_overhead.py takes the time. Where TRUTH_STEPS names a
file, the times at which the steps began are written there, in seconds of the monotonic clock (window_cost.py)."""
import atexit
import os
import statistics
import time

_ticks = []
_repaired = set()


WARM_UP = 10
BLOCK = 20


def tick():
    _ticks.append(time.perf_counter())
    if len(_ticks) == WARM_UP:
        print("first step", flush=True)


def in_repaired_block():
    """After tick(): whether this step goes without its stall, as every second block of steps does. "truth: blocks" tells
    the two kinds apart although the machine's speed changes by the second. The first fifth of a block is not counted:
    there the caches are those of the other kind."""
    step = len(_ticks) - 1
    if step // BLOCK % 2:
        _repaired.add(step)
    return step in _repaired


def tell_blocks():
    kinds = ([], [])
    for step, (b, e) in enumerate(zip(_ticks, _ticks[1:])):
        if step >= WARM_UP and step % BLOCK >= BLOCK // 5:
            kinds[step in _repaired].append(e - b)
    if _repaired and all(kinds):
        before, after = (1e3 * statistics.median(kind) for kind in kinds)
        print(f"truth: blocks before_ms={before:.4f} after_ms={after:.4f}")


def tell():
    lengths = [b - a for a, b in zip(_ticks, _ticks[1:])]
    if lengths:
        rank = os.environ.get("RANK", "0")
        print(f"truth: rank={rank} steps={len(_ticks)} median_ms={1e3 * statistics.median(lengths):.4f} "
              f"mean_ms={1e3 * statistics.mean(lengths):.4f}")
        print(f"ms_per_step {1e3 * statistics.mean(lengths[WARM_UP - 1:] or lengths):.4f}", flush=True)


def write_steps():
    if path := os.environ.get("TRUTH_STEPS"):
        with open(path, "w", encoding="ascii") as file:
            file.writelines(f"{at:.9f}\n" for at in _ticks)


atexit.register(tell)
atexit.register(write_steps)
atexit.register(tell_blocks)
