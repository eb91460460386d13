#!/usr/bin/env python3
"""Runs programs bare and under `syncsniff run`, in alternating pairs: same printed losses, and how much slower?

usage: run_overhead.py --syncsniff PROGRAM [--pairs 5] [--limit 2.0] [--turns MS] [--begin REGEX] [--end REGEX]
                       [--timeline MODE,...] [--budget SHARE] [--peer TRACER]... [--figure REGEX] [--null]
                       [--commands FILE] [-- COMMAND...]

FILE has one command a line (# begins a comment). MODE is off, windows or full; with several, each round runs the program
bare and once in each mode. The runs of a round take turns of MS milliseconds, each stopped while the others run, and each
one's own time counts from its first line that matches --begin to the last that matches --end: steps without start-up. A
program that is stopped half of the time spends its budget for windows (of the time that passes) in half of it: give half
the share. With --turns 0 they run one after the other, and a run's time is its wall time, or the number that REGEX finds
in its output (--figure 'mean_ms=([0-9.]+)'): a step without start-up. --null runs the program bare on both sides: what
the host alone makes of it. TRACER is another tool's words before the command, run in each round beside the modes
(--turns 0, --peer 'nsys profile -t cuda -s none -f true -o {trace}'); {trace} becomes a file in a folder that is deleted.
Prints a markdown table, and each round's figures to stderr as they come.
Exit: 0 all losses equal and all medians within the limit, 1 not so, 2 a program failed, 77 no GPU.
"""
import argparse
import pathlib
import re
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import command_line
import turns

LOSS = re.compile(r"\b(loss|norm|grad_norm|grad_sum)\b[ :=]+([-+]?(?:nan|inf|[0-9][0-9.eE+-]*))")


def losses_of(text):
    return [match.group(0) for match in LOSS.finditer(text)]


def run_alone(command, figure):
    """Its wall time in seconds, or what `figure` finds, in the program's own unit."""
    begin = time.monotonic()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    took = time.monotonic() - begin
    if figure:
        found = re.search(figure, done.stdout)
        took = float(found.group(1)) if found else None
    return turns.Outcome(done.returncode, took, done.stdout, done.stderr)


def unit_of(options):
    return "" if options.figure else " s"


def run_round(commands, options):
    if options.turns:
        return turns.run_in_turns(commands, options.begin, options.end, options.turns / 1e3)
    return [run_alone(command, options.figure) for command in commands]


def give_up(command, outcome):
    reason = (f"exit {outcome.returncode}" if outcome.returncode
              else "no line matches --begin, or none --end after it, or --figure finds nothing")
    print(f"run_overhead: {shlex.join(command)}: {reason}\n{outcome.output[-500:]}{outcome.errors[-1500:]}",
          file=sys.stderr)
    sys.exit(2)


def difference_of(bare, other):
    """What is wrong with the losses; None: they are the same."""
    if not bare:
        return "prints no loss"
    if bare == other:
        return None
    return "losses differ: " + next((f"{a} / {b}" for a, b in zip(bare, other) if a != b), "different numbers of lines")


def traced(command, mode, options, trace_dir):
    return [options.syncsniff, "run", "-q", f"--timeline={mode}", *([f"--budget={options.budget}"] if options.budget else []),
            "-o", f"{trace_dir}/{mode}.sstrace", "--", *command]


def under(tracer, command, trace_dir):
    return [word.replace("{trace}", f"{trace_dir}/peer") for word in shlex.split(tracer)] + command


def runs_of(command, options, trace_dir):
    """The command lines of a round by what they are: bare first."""
    if options.null:
        return [("", command), ("bare", command)]
    return [("", command),
            *((mode, traced(command, mode, options, trace_dir)) for mode in options.timeline.split(",")),
            *((pathlib.Path(shlex.split(tracer)[0]).name, under(tracer, command, trace_dir)) for tracer in options.peer)]


def measure(command, options, trace_dir):
    """A row for each mode: its overheads in percent by round, the bare median, and what differs in the losses."""
    modes, lines = zip(*runs_of(command, options, trace_dir))
    bare_times, rows = [], [{"mode": mode, "overheads": [], "problem": None} for mode in modes[1:]]
    for number in range(options.pairs):
        first = number % len(lines)  # another one begins each time
        outcomes = run_round(lines[first:] + lines[:first], options)
        outcomes = outcomes[len(lines) - first:] + outcomes[:len(lines) - first]
        for outcome in outcomes:
            if outcome.returncode != 0 or outcome.seconds is None:
                give_up(command, outcome)
        for file in pathlib.Path(trace_dir).iterdir():
            file.unlink()
        bare, *others = outcomes
        bare_times.append(bare.seconds)
        losses = losses_of(bare.output)
        for row, other in zip(rows, others):
            row["overheads"].append((other.seconds / bare.seconds - 1.0) * 100.0)
            row["problem"] = row["problem"] or difference_of(losses, losses_of(other.output))
        print(f"round {number + 1}: bare {bare.seconds:.3f}{unit_of(options)}, "
              + ", ".join(f"{row['mode']} {row['overheads'][-1]:+.2f} %" for row in rows), file=sys.stderr, flush=True)
    for row in rows:
        row.update(bare=f"{statistics.median(bare_times):.3g}{unit_of(options)}", losses=len(losses))
    return rows


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
    parser.add_argument("--turns", type=float, default=200, help="milliseconds; 0: one after the other")
    parser.add_argument("--begin", default=r"^first step|^step +[0-9/]+ ")
    parser.add_argument("--end", default=r"^ms_per_step ")
    parser.add_argument("--timeline", default="off")
    parser.add_argument("--budget")
    parser.add_argument("--peer", action="append", default=[], metavar="TRACER")
    parser.add_argument("--figure", metavar="REGEX")
    parser.add_argument("--null", action="store_true")
    parser.add_argument("--commands")
    options = command_line.parse_with_command(parser)
    if options.turns and (options.peer or options.figure):
        parser.error("--peer and --figure need --turns 0: a tracer's daemons cannot be stopped with the program")
    return options


def main():
    options = parse_options()
    if command_line.no_device():
        return command_line.SKIPPED
    for number in (signal.SIGTERM, signal.SIGHUP):  # nothing is left behind stopped
        signal.signal(number, lambda taken, frame: sys.exit(128 + taken))
    good = True
    print("| command | mode | bare | overhead, median | min .. max | losses |\n|---|---|---|---|---|---|")
    for command in commands_of(options):
        with tempfile.TemporaryDirectory() as trace_dir:
            rows = measure(command, options, trace_dir)
        for row in rows:
            median = statistics.median(row["overheads"])
            good = good and row["problem"] is None and median <= options.limit
            spread = f"{min(row['overheads']):+.2f} .. {max(row['overheads']):+.2f} %"
            verdict = row["problem"] or f"{row['losses']} bit-identical"
            print(f"| `{shlex.join(command)}` | {row['mode']} | {row['bare']} | {median:+.2f} % | {spread} | {verdict} |",
                  flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
