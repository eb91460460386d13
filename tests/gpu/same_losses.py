#!/usr/bin/env python3
"""The repaired trainer computes what the stalling one does: same losses, to the bit.

usage: same_losses.py TRAIN_BAD TRAIN_GOOD [ARGUMENTS...]        Exit: 0 equal, 1 not, 77 no GPU
"""
import re
import subprocess
import sys

import command_line


def losses(command):
    output = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout
    return re.findall(r"(?:step \d+|final) loss \S+", output)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    if command_line.no_device():
        return command_line.SKIPPED
    bad, good = (losses([program, *sys.argv[3:]]) for program in sys.argv[1:3])
    for a, b in zip(bad, good):
        if a != b:
            print(f"{a}  /  {b}")
    print(f"{len(bad)} losses of {sys.argv[1]}, {len(good)} of {sys.argv[2]}, {'equal' if bad == good else 'not equal'}")
    return 0 if bad and bad == good else 1


if __name__ == "__main__":
    sys.exit(main())
