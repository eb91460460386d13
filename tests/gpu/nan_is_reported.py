#!/usr/bin/env python3
"""A NaN planted on the device: the stalling trainer tells it at once, the repaired one some steps later; both exit 1.

usage: nan_is_reported.py TRAIN_BAD TRAIN_GOOD        Exit: 0 as it should be, 1 not, 77 no GPU
"""
import re
import subprocess
import sys

import command_line

STEPS = 200
MOST_LATE = 5  # kLead of samples/mlp_cuda/good/inputs.h
RUNS = [(137, "prefetch"), (137, "device"), (0, "prefetch"), (STEPS - 1, "prefetch")]


def printed_steps(output):
    return [int(step) for step in re.findall(r"^step (\d+) loss [-+0-9]", output, re.MULTILINE)]


def problems_of_good(status, output, planted):
    """What is wrong with train.good's output; empty if nothing is."""
    told = re.findall(r"^step (\d+): loss is not finite \(told at step (\d+)\)$", output, re.MULTILINE)
    if len(told) != 1:
        return [f"{len(told)} reports"]
    step, noticed = (int(number) for number in told[0])
    problems = [] if status == 1 else [f"exit {status}"]
    if step != planted:
        problems.append(f"reported for step {step}")
    if not planted <= noticed <= planted + MOST_LATE:
        problems.append(f"told at step {noticed}")
    if printed_steps(output) != list(range(0, planted, 10)):
        problems.append(f"losses printed of steps {printed_steps(output)}")
    if re.search("final loss|nan", output):
        problems.append("goes on printing")
    return problems


def problems_of_bad(status, output, planted):
    return [] if status == 1 and f"step {planted} loss is NaN\n" in output else [f"exit {status}, no report"]


def run(program, *arguments):
    command = [program, "--steps", str(STEPS), *arguments]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.returncode, done.stdout


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    if command_line.no_device():
        return command_line.SKIPPED
    failed = False
    for step, source in RUNS:
        status, output = run(sys.argv[2], "--plant-nan", str(step), "--input-from", source)
        problems = problems_of_good(status, output, step)
        last = output.strip().splitlines()[-1:] or ["no output"]
        print(f"planted at {step}, input from {source}: {last[0]}{'; FAIL: ' if problems else ''}{', '.join(problems)}")
        failed = failed or bool(problems)
    problems = problems_of_bad(*run(sys.argv[1], "--plant-nan", "137"), 137)
    print(f"the stalling twin: {', '.join(problems) or 'at once'}")
    return 1 if failed or problems else 0


if __name__ == "__main__":
    sys.exit(main())
