#!/usr/bin/env python3
"""Does a step gain what the report predicts? Stalls are predicted from a recording, then taken out by an argument.

usage: predicted_pairs.py --syncsniff PROGRAM [--turns N] [--only NAME...]
Each pair is one program twice. Of the first run, recorded in the default mode, the rows of the lines that the second run
does without are summed ("saves_ns" of the JSON report); the prediction is the first run's own median step less that
sum. The second run is not recorded and tells its own median. A machine's speed may change by half within minutes: with
more than one turn, the two run by turns, and all figures are medians. Prints a markdown table, then the median and the
worst error. Exit: 0 median within 10 % and worst within 25 %, 1 not so, 2 a program failed, 77 no GPU.
"""
import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import command_line

TRAINERS = pathlib.Path(__file__).parent / "trainers"
TRUTH = re.compile(r"^truth: .*median_ms=([0-9.]+)", re.MULTILINE)


def lines_with(file, *texts):
    numbers = {number for number, line in enumerate((TRAINERS / file).read_text().splitlines(), 1)
               for text in texts if text in line}
    assert numbers, (file, texts)
    return lambda row: row["file"].endswith(file) and row["line"] in numbers


# name, program, arguments before, arguments after, which rows go
PAIRS = [
    ("host work after a read-back and an allocation", "stalls.cu",
     "--steps 3000 --readback --malloc --load-us 500", "--steps 3000 --readback --malloc", ["load_batch(load_us)"]),
    ("an allocation each step", "stalls.cu",
     "--steps 3000 --readback --malloc", "--steps 3000 --readback", ["cudaMalloc(&scratch", "cudaFree(scratch"]),
    ("a loader that sleeps", "stalls.cu",
     "--steps 3000 --readback --sleep-us 400", "--steps 3000 --readback", ["fetch_batch(sleep_us)"]),
    ("logging after a read-back", "stalls.cu",
     "--steps 3000 --readback --log-us 300", "--steps 3000 --readback", ["write_log(log_us)"]),
    ("host work in Python", "stalls.py", "--load-ms 3 --item --steps 700", "--item --steps 700", [" < until:", "spin("]),
    ("a loader that sleeps in Python", "stalls.py",
     "--sleep-ms 4 --item --steps 500", "--item --steps 500", ["time.sleep(options.sleep_ms"]),
    ("a queue that is filled too slowly", "stalls.py",
     "--queue-ms 14 --item --steps 250", "--item --steps 500", ["batches.get()"]),
    ("logging in Python, nothing waits", "stalls.py", "--log-ms 2 --steps 500", "--steps 500", [" < until:", "spin("]),
    ("an optimizer parameter by parameter", "stalls.py",
     "--item --steps 500", "--item --steps 500 --fused", ["optimizer.step()"]),
]


def run(command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    found = TRUTH.search(done.stdout)
    if done.returncode != 0 or not found:
        print(f"predicted_pairs: {' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout[-500:]}"
              f"{done.stderr[-1500:]}", file=sys.stderr)
        sys.exit(2)
    return float(found.group(1))


def predict(syncsniff, command, selects, folder):
    trace = pathlib.Path(folder) / "pair.sstrace"
    trace.unlink(missing_ok=True)
    before = run([syncsniff, "run", "-q", "-o", trace, "--", *command])
    report = subprocess.run([syncsniff, "report", "--format", "json", trace], capture_output=True, text=True)
    rows = [row for row in json.loads(report.stdout)["gpu"][0]["host"] if "saves_ns" in row and selects(row)]
    return before, sum(row["saves_ns"] for row in rows) / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--syncsniff", required=True)
    parser.add_argument("--turns", type=int, default=1, help="how often each pair runs (default 1)")
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    if command_line.no_device():
        return command_line.SKIPPED
    errors = []
    print("| repaired | before | row saves | predicted | measured | error |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        built = pathlib.Path(folder) / "stalls"
        subprocess.run(["nvcc", "-g", "-lineinfo", "-O2", "-o", built, TRAINERS / "stalls.cu"], check=True)
        for name, file, before, after, texts in PAIRS:
            if options.only and name not in options.only:
                continue
            program = [built] if file.endswith(".cu") else [sys.executable, TRAINERS / file]
            turns = [(*predict(options.syncsniff, [*program, *before.split()], lines_with(file, *texts), folder),
                      run([*program, *after.split()])) for _ in range(max(1, options.turns))]
            told, saves, measured = (statistics.median(figures) for figures in zip(*turns))
            errors.append(abs(told - saves - measured) / measured * 100)
            print(f"| {name} | {told:.3f} ms | {saves:.3f} ms | {told - saves:.3f} ms | {measured:.3f} ms | "
                  f"{(told - saves - measured) / measured * 100:+.1f} % |", flush=True)
    median, worst = statistics.median(errors), max(errors)
    print(f"\nmedian error {median:.1f} %, worst {worst:.1f} %, {len(errors)} pairs")
    return 0 if median <= 10 and worst <= 25 else 1


if __name__ == "__main__":
    sys.exit(main())
