#!/usr/bin/env python3
"""Does the Prefetcher hide its copies? The same trainer, fed by it and from device memory, under `syncsniff run`.

usage: busy_share.py --syncsniff PROGRAM [--limit 3] -- TRAIN_GOOD [ARGUMENTS...]

ARGUMENTS default to 64 MiB of input a step and steps of some 20 ms. Two shares of each, in percent:
  busy       of the report: kernels, copies and sets, of the time between set-up and end (where it found steps)
  computing  kernels alone, over the last four fifths of them: here a copy that is not hidden shows as well
Exit: 0 both differ by at most the limit (points), 1 not so, 2 a program failed, 77 no GPU.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import command_line

DEFAULT_ARGUMENTS = ["--input-mb", "64", "--hidden", "4096", "--steps", "60"]
KERNEL = re.compile(r"^gpu kind=kernel .*?\bbegin=(\d+) end=(\d+)", re.MULTILINE)


def busy_share(report):
    """None if the report found no steps: set-up is in its idle time then."""
    if not report["steps"]["found"]:
        return None
    gpu = report["gpu"][0]
    idle = gpu["idle_ns"] - gpu["idle_by_cause"]["end effects"]
    return 100.0 * gpu["busy_ns"] / (gpu["busy_ns"] + idle)


def computing_share(dump):
    """Of the text that `syncsniff dump` prints."""
    kernels = sorted((int(begin), int(end)) for begin, end in KERNEL.findall(dump))
    kernels = kernels[len(kernels) // 5:]
    if not kernels:
        return 0.0
    first = done = kernels[0][0]
    computing = 0
    for begin, end in kernels:
        computing += max(0, end - max(begin, done))
        done = max(done, end)
    return 100.0 * computing / (done - first)


def verdict(device, prefetch, limit):
    """Two {share: percent}. True if they agree."""
    good = True
    print("| share | from device memory | by the Prefetcher | points |\n|---|---|---|---|")
    for share in device:
        if device[share] is None or prefetch[share] is None:
            print(f"| {share} | no steps found | | |")
            continue
        points = prefetch[share] - device[share]
        within = abs(points) <= limit and device[share] > 0.0
        good = good and within
        print(f"| {share} | {device[share]:.2f} % | {prefetch[share]:.2f} % | {points:+.2f}{'' if within else ' FAIL'} |")
    return good


def checked(command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        print(f"busy_share: {command[0]}: exit {done.returncode}\n{done.stdout[-500:]}{done.stderr[-1500:]}",
              file=sys.stderr)
        sys.exit(2)
    return done.stdout


def measure(syncsniff, command, source):
    with tempfile.TemporaryDirectory() as folder:
        trace, report = (str(pathlib.Path(folder) / name) for name in ("run.sstrace", "report.json"))
        output = checked([syncsniff, "run", "--timeline=full", "--format=json", "--report-file", report, "-o", trace,
                          "--", *command, "--input-from", source])
        shares = {"busy": busy_share(json.loads(pathlib.Path(report).read_text())),
                  "computing": computing_share(checked([syncsniff, "dump", trace]))}
    time = re.search(r"ms_per_step \S+", output)
    print(f"{source}: {time.group(0) if time else 'too few steps'}", flush=True)
    return shares


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--syncsniff", required=True)
    parser.add_argument("--limit", type=float, default=3.0, help="points")
    options = command_line.parse_with_command(parser)
    if not options.command:
        parser.error("no command; give -- TRAIN_GOOD")
    if len(options.command) == 1:
        options.command += DEFAULT_ARGUMENTS
    return options


def main():
    options = parse_options()
    if command_line.no_device():
        return command_line.SKIPPED
    device, prefetch = (measure(options.syncsniff, options.command, source) for source in ("device", "prefetch"))
    return 0 if verdict(device, prefetch, options.limit) else 1


if __name__ == "__main__":
    sys.exit(main())
