#!/usr/bin/env python3
"""Runs programs bare and under `syncsniff run`, in alternating pairs: same printed losses, and how much slower?

usage: run_overhead.py --syncsniff PROGRAM [--pairs 5] [--limit 2.0] [--metric REGEX] [--timeline off|full]
                       [--commands FILE] [-- COMMAND...]

FILE has one command a line (# begins a comment). The time of a run is the first group of REGEX in its output (default
`ms_per_step ([0-9.]+)`; its median where it matches several times), else its wall time. Prints a markdown table.
Exit: 0 all losses equal and all medians within the limit, 1 not so, 2 a program failed, 77 no GPU.
"""
import argparse
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

import command_line

LOSS = re.compile(r"\b(loss|norm|grad_norm|grad_sum)\b[ :=]+([-+]?(?:nan|inf|[0-9][0-9.eE+-]*))")


def losses_of(text):
    return [match.group(0) for match in LOSS.finditer(text)]


def run_once(command, metric):
    begin = time.monotonic()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    wall_ms = (time.monotonic() - begin) * 1e3
    if done.returncode != 0:
        print(f"run_overhead: {shlex.join(command)}: exit {done.returncode}\n{done.stdout[-500:]}{done.stderr[-1500:]}",
              file=sys.stderr)
        sys.exit(2)
    times = [float(value) for value in re.findall(metric, done.stdout)]
    return (statistics.median(times) if times else wall_ms), bool(times), losses_of(done.stdout)


def measure(command, options, trace_dir):
    """One row: the per-pair overheads in percent, the bare median, and what differs in the losses."""
    bare_times, overheads, problem = [], [], None
    traced = [options.syncsniff, "run", "-q", f"--timeline={options.timeline}", "-o"]
    for pair in range(options.pairs):
        trace = str(pathlib.Path(trace_dir) / f"pair{pair}.sstrace")
        order = ["bare", "traced"] if pair % 2 == 0 else ["traced", "bare"]
        result = {}
        for kind in order:
            line = command if kind == "bare" else [*traced, trace, "--", *command]
            result[kind] = run_once(line, options.metric)
        for file in pathlib.Path(trace_dir).iterdir():
            file.unlink()
        bare_ms, has_metric, bare_losses = result["bare"]
        bare_times.append(bare_ms)
        overheads.append((result["traced"][0] / bare_ms - 1.0) * 100.0)
        if not bare_losses:
            problem = problem or "prints no loss"
        elif bare_losses != result["traced"][2]:
            pairs = zip(bare_losses, result["traced"][2])
            first = next((f"{a} / {b}" for a, b in pairs if a != b), "different numbers of lines")
            problem = problem or f"losses differ: {first}"
    unit = "ms/step" if has_metric else "ms wall"
    return {"bare": f"{statistics.median(bare_times):.3f} {unit}", "overheads": overheads, "problem": problem,
            "losses": len(bare_losses)}


def commands_of(options):
    commands = []
    if options.commands:
        for line in pathlib.Path(options.commands).read_text().splitlines():
            words = shlex.split(line, comments=True)
            if words:
                commands.append(words)
    if options.command:
        commands.append(options.command)
    if not commands:
        sys.exit("run_overhead: no command; give --commands FILE or -- COMMAND")
    return commands


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--syncsniff", required=True)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--limit", type=float, default=2.0, help="percent")
    parser.add_argument("--metric", default=r"ms_per_step ([0-9.]+)")
    parser.add_argument("--timeline", default="off")
    parser.add_argument("--commands")
    options = command_line.parse_with_command(parser)
    return options


def main():
    options = parse_options()
    if command_line.no_device():
        return command_line.SKIPPED
    good = True
    print("| command | bare | overhead, median | min .. max | losses |\n|---|---|---|---|---|")
    for command in commands_of(options):
        with tempfile.TemporaryDirectory() as trace_dir:
            row = measure(command, options, trace_dir)
        median = statistics.median(row["overheads"])
        good = good and row["problem"] is None and median <= options.limit
        spread = f"{min(row['overheads']):+.2f} .. {max(row['overheads']):+.2f} %"
        verdict = row["problem"] or f"{row['losses']} bit-identical"
        print(f"| `{shlex.join(command)}` | {row['bare']} | {median:+.2f} % | {spread} | {verdict} |", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
