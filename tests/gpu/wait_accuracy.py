#!/usr/bin/env python3
"""Compares what train.bad.timed measured around each of its waits with what `syncsniff` reports for the same lines.

usage: wait_accuracy.py --syncsniff PROGRAM [--tolerance 5] -- TRAIN_BAD_TIMED [ARGUMENTS...]
       wait_accuracy.py --table OUTPUT_OF_TRAIN_BAD_TIMED --report REPORT_JSON      (no GPU needed)

The program's `wait FILE:LINE CALL COUNT TOTAL_NS` lines are the reference. The clock reads stand around the runtime's
call and the shim times the driver's, so up to 1 us a call are the runtime's own and are allowed besides
(0.3 us on an H200).
Exit: 0 all within the tolerance (percent), 1 not so, 2 a program failed, 77 no GPU.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import command_line

RUNTIME_OWN_NS = 1000


def read_table(text):
    rows = []
    for line in text.splitlines():
        if line.startswith("wait "):
            _, place, call, count, total = line.split(" ")
            file, number = place.rsplit(":", 1)
            rows.append({"file": file, "line": int(number), "call": call, "count": int(count), "ns": int(total)})
    return rows


def same_file(a, b):
    first, second = pathlib.PurePath(a).parts, pathlib.PurePath(b).parts
    shared = min(len(first), len(second), 2)  # the folder too: bad/train.cu and good/train.cu
    return first[-shared:] == second[-shared:]


def compare(rows, report, tolerance):
    good = bool(rows)
    if not rows:
        print("wait_accuracy: the program printed no `wait` lines", file=sys.stderr)
    print("| wait | calls, own | calls, reported | ms, own | ms, reported | difference |\n|---|---|---|---|---|---|")
    for row in rows:
        sites = [s for s in report["sites"] if s["line"] == row["line"] and same_file(s["file"], row["file"])]
        calls = sum(site["run"]["calls"] for site in sites)
        blocked = sum(site["run"]["blocked_ns"] for site in sites)
        difference = blocked - row["ns"]
        allowed = max(row["ns"] * tolerance / 100.0, RUNTIME_OWN_NS * row["count"])
        within = bool(sites) and abs(difference) <= allowed and calls == row["count"]
        good = good and within
        name = f"{pathlib.PurePath(row['file']).name}:{row['line']} {row['call']}"
        share = f"{100.0 * difference / row['ns']:+.2f} %" if row["ns"] else "-"
        print(f"| {name} | {row['count']} | {calls} | {row['ns'] * 1e-6:.3f} | {blocked * 1e-6:.3f} "
              f"| {share}{'' if within else ' FAIL'} |")
    return 0 if good else 1


def checked(command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        print(f"wait_accuracy: {' '.join(command)}: exit {done.returncode}\n{done.stderr[-2000:]}", file=sys.stderr)
        sys.exit(2)
    return done.stdout


def measure(options):
    with tempfile.TemporaryDirectory() as folder:
        trace = str(pathlib.Path(folder) / "accuracy.sstrace")
        table = checked([options.syncsniff, "run", "-q", "-o", trace, "--", *options.command])
        report = checked([options.syncsniff, "report", "--format", "json", trace])
    return read_table(table), json.loads(report)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--syncsniff")
    parser.add_argument("--tolerance", type=float, default=5.0)
    parser.add_argument("--table")
    parser.add_argument("--report")
    options = command_line.parse_with_command(parser)
    if options.table and options.report:
        rows = read_table(pathlib.Path(options.table).read_text())
        return compare(rows, json.loads(pathlib.Path(options.report).read_text()), options.tolerance)
    if not (options.syncsniff and options.command):
        parser.error("give --syncsniff and -- COMMAND, or --table and --report")
    if command_line.no_device():
        return command_line.SKIPPED
    rows, report = measure(options)
    return compare(rows, report, options.tolerance)


if __name__ == "__main__":
    sys.exit(main())
