#!/usr/bin/env python3
"""Does a step gain what the report predicts? Stalls are predicted from a recording, then taken out by an argument.

usage: predicted_pairs.py --syncsniff PROGRAM [--turns N] [--on GPU:CPUS...] [--within SECONDS] [--keep FOLDER]
                          [--only NAME...]
Each pair is one program run twice. The first run has the stall in each step and is recorded in the default mode: of its
report, the rows that the repair removes are summed ("saves_ns" of the JSON), and "predicted" is the share of a step that
is left, "at best" the same by "saves_at_most_ns": after a pause the rest of a step finds its caches cold, and no recording
tells how much faster it is without one. The second run is not recorded, and goes without the stall in every second block of 20 steps (--without):
"measured" is the median of these steps by that of the others. Two processes cannot tell that share where the machine's
speed changes: the steps of one unchanged program went from 3.3 to 5.8 ms within a second (H100, shared host). With more
than one turn, all figures are medians. Each process is held to the processors that --on names beside its GPU (as
"1:16-19"): one that wanders over many is 30 % slower in one second than in the next. Several --on run side by side.
--within: no turn begins later. Prints a markdown table, then the median and the worst error.
Exit: 0 median within 10 % and worst within 25 %, 1 not so, 2 a program failed, 77 no GPU.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import queue
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import command_line

TRAINERS = pathlib.Path(__file__).parent / "trainers"
TRUTH = re.compile(r"^truth: .*median_ms=([0-9.]+)", re.MULTILINE)
BLOCKS = re.compile(r"^truth: blocks before_ms=([0-9.]+) after_ms=([0-9.]+)", re.MULTILINE)


def lines_with(file, *texts):
    numbers = {number for number, line in enumerate((TRAINERS / file).read_text().splitlines(), 1)
               for text in texts if text in line}
    assert numbers, (file, texts)
    return lambda row: row["file"].endswith(file) and row["line"] in numbers


def at(*place):
    return lambda row: lines_with(*place)(row)


def many_launches(row):
    return row["remedy"] == "foreach or fused optimizer"


# name, program, arguments, which rows the repair removes, what to go without
PAIRS = [
    ("host work after a read-back and an allocation", "stalls.cu", "--steps 6000 --readback --malloc --load-us 500",
     at("stalls.cu", "load_batch(load_us)"), "load"),
    ("an allocation each step", "stalls.cu", "--steps 9000 --readback --malloc",
     at("stalls.cu", "cudaMalloc(&scratch", "cudaFree(scratch"), "malloc"),
    ("a loader that sleeps", "stalls.cu", "--steps 6000 --readback --sleep-us 400",
     at("stalls.cu", "fetch_batch(sleep_us)"), "sleep"),
    ("logging after a read-back", "stalls.cu", "--steps 6000 --readback --log-us 300",
     at("stalls.cu", "write_log(log_us)"), "log"),
    ("a read-back each step, beside host work", "stalls.cu", "--steps 6000 --readback --load-us 500",
     at("stalls.cu", "cudaMemcpy(host, data"), "readback"),
    ("host work in Python", "stalls.py", "--load-ms 3 --item --steps 800",
     at("stalls.py", " < until:", "        pass", "spin("), "load_ms"),
    ("a loader that sleeps in Python", "stalls.py", "--sleep-ms 4 --item --steps 700",
     at("stalls.py", "time.sleep(options.sleep_ms"), "sleep_ms"),
    ("a queue that is filled too slowly", "stalls.py", "--queue-ms 14 --item --steps 400",
     at("stalls.py", "batches.get()"), "queue_ms"),
    ("logging in Python, nothing waits", "stalls.py", "--log-ms 2 --steps 900",
     at("stalls.py", " < until:", "        pass", "spin("), "log_ms"),
    ("an optimizer parameter by parameter", "stalls.py", "--item --steps 1100", many_launches, "loop"),
    ("the same, behind a queue that is filled too slowly", "stalls.py", "--queue-ms 14 --item --steps 400",
     many_launches, "loop"),
]


class Place:
    """A GPU and the processors beside it; by default all."""

    def __init__(self, words):
        gpu, _, cpus = words.partition(":")
        self.before = ["taskset", "-c", cpus] if cpus else []
        self.environment = {**os.environ, "CUDA_VISIBLE_DEVICES": gpu} if gpu else None

    def run(self, command, pattern):
        done = subprocess.run([*self.before, *command], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace", env=self.environment)
        found = pattern.search(done.stdout)
        if done.returncode != 0 or not found:
            raise RuntimeError(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout[-500:]}"
                               f"{done.stderr[-1500:]}")
        return [float(figure) for figure in found.groups()]


def predict(place, syncsniff, command, selects, trace):
    """What the recorded run itself says of its step, what the repair saves, and what it saves at most; ms."""
    (before,) = place.run([syncsniff, "run", "-q", "-o", trace, "--", *command], TRUTH)
    report = subprocess.run([syncsniff, "report", "--format", "json", trace], capture_output=True, text=True)
    rows = [row for row in json.loads(report.stdout)["gpu"][0]["host"] if "saves_ns" in row and selects(row)]
    return before, *(sum(row[figure] for row in rows) / 1e6 for figure in ("saves_ns", "saves_at_most_ns"))


class Turns:
    """What each pair's turns have told: the recorded step, what its rows save, what at most, and the two measured medians;
    ms."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.built = folder / "stalls"
        self.told = {number: [] for number, pair in enumerate(PAIRS) if not options.only or pair[0] in options.only}
        self.places = queue.SimpleQueue()
        for words in options.on or [""]:
            self.places.put(Place(words))

    def take(self, number, turn, until):
        if time.monotonic() > until:
            return
        name, file, arguments, selects, without = PAIRS[number]
        trace = (self.options.keep or self.folder) / f"pair{number}.{turn}.sstrace"
        program = [*([self.built] if file.endswith(".cu") else [sys.executable, TRAINERS / file]), *arguments.split()]
        place = self.places.get()
        try:
            told = (*predict(place, self.options.syncsniff, program, selects, trace),
                    *place.run([*program, "--without", without], BLOCKS))
        finally:
            self.places.put(place)
        if not self.options.keep:
            trace.unlink()
        self.told[number].append(told)
        print(f"{number}.{turn} {told}", file=sys.stderr, flush=True)

    def take_all(self):
        subprocess.run(["nvcc", "-g", "-lineinfo", "-O2", "-o", self.built, TRAINERS / "stalls.cu"], check=True)
        until = time.monotonic() + (self.options.within or 1e9)
        with concurrent.futures.ThreadPoolExecutor(self.places.qsize()) as workers:
            turns = [workers.submit(self.take, number, turn, until)
                     for turn in range(max(1, self.options.turns)) for number in self.told]
            for turn in turns:
                turn.result()

    def write(self):
        """The table. Returns the errors, in percent."""
        errors = []
        print("| repaired | turns | step | row saves | predicted | at best | measured | error |\n"
              "|---|---|---|---|---|---|---|---|")
        for number, turns in self.told.items():
            if not turns:
                continue
            step, saves = (statistics.median(turn[i] for turn in turns) for i in (0, 1))
            left = statistics.median((told - saved) / told for told, saved, _, _, _ in turns)
            best = statistics.median((told - most) / told for told, _, most, _, _ in turns)
            measured = statistics.median(after / before for _, _, _, before, after in turns)
            errors.append(abs(left / measured - 1) * 100)
            print(f"| {PAIRS[number][0]} | {len(turns)} | {step:.3f} ms | {saves:.3f} ms | {left * 100:.1f} % | "
                  f"{best * 100:.1f} % | {measured * 100:.1f} % | {(left / measured - 1) * 100:+.1f} % |", flush=True)
        return errors


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--syncsniff", required=True)
    parser.add_argument("--turns", type=int, default=1, help="how often each pair runs (default 1)")
    parser.add_argument("--on", nargs="*", metavar="GPU:CPUS")
    parser.add_argument("--within", type=float, help="seconds")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the recordings")
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    if command_line.no_device():
        return command_line.SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        turns = Turns(options, pathlib.Path(folder))
        try:
            turns.take_all()
        except (RuntimeError, OSError, subprocess.CalledProcessError) as error:
            print(f"predicted_pairs: {error}", file=sys.stderr)
            return 2
        errors = turns.write()
    median, worst = statistics.median(errors), max(errors)
    print(f"\nmedian error {median:.1f} %, worst {worst:.1f} %, {len(errors)} pairs")
    return 0 if median <= 10 and worst <= 25 else 1


if __name__ == "__main__":
    sys.exit(main())
