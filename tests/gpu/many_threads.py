#!/usr/bin/env python3
"""Is every launch of a program with many threads accounted for? Its own count against the trace's.

usage: many_threads.py --syncsniff PROGRAM -- THREADS_PROGRAM [ARGUMENTS...]
Runs it with the windows of the default mode and with the full timeline. "counted": the launches that the trace counts;
"listed": calls that it lists, and "kernels": records of the GPU's side, of a full timeline as many as there were
launches. Exit: 0 every launch is there, 1 not, 2 the program failed, 77 no GPU.
"""
import argparse
import re
import subprocess
import sys
import tempfile

import command_line

LAUNCHES = re.compile(r"^launches (\d+)$", re.MULTILINE)
COUNT = re.compile(r"^count api=(\d+) .*?count=(\d+)", re.MULTILINE)
API = re.compile(r'^api id=(\d+) .*text="(cuLaunchKernel\w*)"', re.MULTILINE)
CALL = re.compile(r"^call .*?\bapi=(\d+)", re.MULTILINE)


def account(syncsniff, timeline, command):
    with tempfile.TemporaryDirectory() as folder:
        trace = f"{folder}/t.sstrace"
        ran = subprocess.run([syncsniff, "run", "-q", f"--timeline={timeline}", "-o", trace, "--", *command],
                             capture_output=True, text=True)
        if ran.returncode != 0:
            print(f"many_threads: exit {ran.returncode}\n{ran.stdout[-500:]}{ran.stderr[-1500:]}", file=sys.stderr)
            sys.exit(2)
        dump = subprocess.run([syncsniff, "dump", trace], capture_output=True, text=True, check=True).stdout
    launched = int(LAUNCHES.search(ran.stdout)[1])
    launches = {number for number, _ in API.findall(dump)}
    counted = sum(int(count) for api, count in COUNT.findall(dump) if api in launches)
    listed = sum(api in launches for api in CALL.findall(dump))
    kernels = len(re.findall(r"^gpu .*?\bkind=kernel", dump, re.MULTILINE))
    notes = re.findall(r"^note .*", dump, re.MULTILINE)
    good = counted == launched and (timeline != "full" or (listed, kernels) == (launched, launched))
    print(f"{timeline}: {launched} launches, {counted} counted, {listed} listed, {kernels} kernels; "
          f"{'all there' if good else 'MISSING'}; {notes}", flush=True)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--syncsniff", required=True)
    options = command_line.parse_with_command(parser)
    if command_line.no_device():
        return command_line.SKIPPED
    return 0 if all([account(options.syncsniff, timeline, options.command) for timeline in ("windows", "full")]) else 1


if __name__ == "__main__":
    sys.exit(main())
