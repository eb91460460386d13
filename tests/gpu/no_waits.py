#!/usr/bin/env python3
"""`syncsniff run` sees no wait in the steps of the repaired trainer.

usage: no_waits.py --syncsniff PROGRAM TRAIN_GOOD        Exit: 0 none, 1 some, 2 a program failed, 77 no GPU
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import command_line

STEPS = 200
# Loading a kernel and allocating take host time once; later calls look things up (cuBLAS does at each launch).
LOOK_UPS = re.compile(r"cuKernel|cuLibrary|cuModule|cuFunc|cuMemAlloc|cuMemFree|cuMemHost")
A_STEPS_SHARE = 0.1  # what waits in less than every tenth step is set-up, the end of the warm-up, the end of the run


def waits_in_steps(report, steps):
    return [site for site in report["sites"]
            if not LOOK_UPS.match(site["api"]) and site["run"]["blocked_ns"] > 0 and site["run"]["calls"] >= A_STEPS_SHARE * steps]


def main():
    if len(sys.argv) != 4 or sys.argv[1] != "--syncsniff":
        sys.exit(__doc__)
    if command_line.no_device():
        return command_line.SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        trace, file = (pathlib.Path(folder) / name for name in ("run.sstrace", "report.json"))
        done = subprocess.run([sys.argv[2], "run", "--format=json", "--report-file", str(file), "-o", str(trace), "--",
                               sys.argv[3], "--steps", str(STEPS)], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True)
        if done.returncode != 0 or not file.exists():
            print(f"no_waits: exit {done.returncode}\n{done.stdout[-500:]}{done.stderr[-1500:]}", file=sys.stderr)
            return 2
        report = json.loads(file.read_text())
    found = waits_in_steps(report, STEPS)
    print(f"{len(report['sites'])} sites; steps: {report['steps']['how']}; {len(found)} of them wait in the steps")
    for site in found:
        run = site["run"]
        print(f"  {site['file']}:{site['line']} {site['api']}: {run['calls']} calls, {run['blocked_ns'] * 1e-6:.3f} ms")
    return 1 if found or not report["sites"] else 0


if __name__ == "__main__":
    sys.exit(main())
