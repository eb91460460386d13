#!/usr/bin/env python3
"""What windows cost, within one process: its steps near windows against its own steps far from all of them.

usage: window_cost.py --syncsniff PROGRAM [--runs 5] [--limit 3.0] [--budget SHARE] -- COMMAND...
Two processes differ by 15 % on a shared host, two tenths of a second of one process by much less. COMMAND writes when each
of its steps begins into the file that TRUTH_STEPS names (truth.py, stalls.cu). "cost" is what the steps from BEFORE_S
before a window to AFTER_S after it took longer than the mean of the others within NEAR_S, by the time of all steps: CUPTI's
coming and leaving lie in it, and the samples; what the hooks cost in every step does not (run_overhead.py tells that). "by
chance" is the same figure of a bare run, at the times of the recorded run's windows. Prints a markdown table.
Exit: 0 the median cost is within the limit, 1 it is not, 2 a program failed, 77 no GPU.
"""
import argparse
import os
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import tempfile

import command_line

WINDOW = re.compile(r"^window begin=(\d+) end=(\d+)", re.MULTILINE)
WARM_UP = 10  # steps
BEFORE_S, AFTER_S, NEAR_S = 0.05, 0.3, 1.0


def overlap(begin, end, spans):
    return any(begin < span_end and end > span_begin for span_begin, span_end in spans)


def cost_of(begins, windows):
    """The share of the steps' time that is lost near windows, and how many steps lie there; seconds. None where no step
    is far enough from all windows, or none is near."""
    steps = list(zip(begins[WARM_UP:], begins[WARM_UP + 1:]))
    spans = [(begin - BEFORE_S, end + AFTER_S) for begin, end in windows]
    near = [step for step in steps if overlap(*step, spans)]
    far = [step for step in steps if not overlap(*step, spans)]
    lost = 0.0
    for begin, end in near:
        around = [b - a for a, b in far if a > begin - NEAR_S and b < end + NEAR_S]
        if not around:
            return None
        lost += end - begin - statistics.mean(around)
    return (lost / (steps[-1][1] - steps[0][0] - lost), len(near)) if near else None


def run(command, steps_file, environment=None):
    """When the steps of the command began."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                          env={**os.environ, **(environment or {}), "TRUTH_STEPS": str(steps_file)})
    if done.returncode != 0 or not steps_file.exists():
        reason = f"exit {done.returncode}" if done.returncode else "wrote no TRUTH_STEPS"
        print(f"window_cost: {shlex.join(map(str, command))}: {reason}\n{done.stderr[-1500:]}", file=sys.stderr)
        sys.exit(2)
    return [float(word) for word in steps_file.read_text().split()]


def windows_of(syncsniff, trace):
    dump = subprocess.run([syncsniff, "dump", trace], capture_output=True, text=True, errors="replace", check=True)
    return [(int(begin) / 1e9, int(end) / 1e9) for begin, end in WINDOW.findall(dump.stdout)]


def percent(cost):
    return "-" if cost is None else f"{100 * cost[0]:+.2f} %"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--syncsniff", required=True)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--limit", type=float, default=3.0, help="percent")
    parser.add_argument("--budget")
    options = command_line.parse_with_command(parser)
    if command_line.no_device():
        return command_line.SKIPPED
    costs = []
    print("| steps | mean step | windows | in steps near them | cost | by chance |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        steps_file, trace = pathlib.Path(folder) / "steps", pathlib.Path(folder) / "run.sstrace"
        for _ in range(options.runs):
            trace.unlink(missing_ok=True)
            budget = [f"--budget={options.budget}"] if options.budget else []
            begins = run([options.syncsniff, "run", "-q", *budget, "-o", trace, "--", *options.command], steps_file)
            windows = [window for window in windows_of(options.syncsniff, trace) if window[1] > begins[WARM_UP]]
            bare = run(options.command, steps_file)
            shift = bare[WARM_UP] - begins[WARM_UP]
            cost = cost_of(begins, windows)
            chance = cost_of(bare, [(begin + shift, end + shift) for begin, end in windows])
            mean = (begins[-1] - begins[WARM_UP]) / (len(begins) - 1 - WARM_UP)
            costs += [100 * cost[0]] if cost else []
            print(f"| {len(begins)} | {1e3 * mean:.3f} ms | {len(windows)} | {cost[1] if cost else '-'} | "
                  f"{percent(cost)} | {percent(chance)} |", flush=True)
    if not costs:
        print("\nno run had windows among its steps")
        return 0
    print(f"\n`{shlex.join(options.command)}`: windows cost {statistics.median(costs):+.2f} % (median of {len(costs)})")
    return 0 if statistics.median(costs) <= options.limit else 1


if __name__ == "__main__":
    sys.exit(main())
