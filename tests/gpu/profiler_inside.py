#!/usr/bin/env python3
"""Does torch.profiler inside a program collect the same events under `syncsniff run` as without it?

usage: profiler_inside.py --syncsniff PROGRAM [--where start|middle]
Runs a small trainer bare and under the tool, with the profiler on from the start and in the middle of the run, and
compares how often it saw each kernel, copy and CUDA call. Exit: 0 the same, 1 not, 2 a program failed, 77 no GPU.
"""
import argparse
import json
import subprocess
import sys
import tempfile

import command_line

TRAINER = r"""
import collections, json, sys, time
import torch
from torch.profiler import ProfilerActivity, profile
steps_before = int(sys.argv[1])
torch.manual_seed(0)
model = torch.nn.Sequential(*[torch.nn.Linear(256, 256) for _ in range(6)]).cuda()
optimizer = torch.optim.AdamW(model.parameters(), foreach=False)
data = torch.randn(64, 256)
def step():
    loss = model(data.cuda()).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()
for _ in range(steps_before):
    step()
with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as profiler:
    for _ in range(200):
        loss = step()
for _ in range(steps_before):
    step()
counts = collections.Counter()
for event in profiler.events():
    if event.device_type == torch.autograd.DeviceType.CUDA or event.name.startswith("cu"):
        counts[event.name] += 1
print(json.dumps({"loss": loss, "counts": counts}))
"""


def collect(before, prefix=()):
    done = subprocess.run([*prefix, sys.executable, "-c", TRAINER, str(before)], capture_output=True, text=True)
    if done.returncode != 0:
        print(f"profiler_inside: exit {done.returncode}\n{done.stdout[-500:]}{done.stderr[-1500:]}", file=sys.stderr)
        sys.exit(2)
    notes = [line for line in done.stderr.splitlines() if line.startswith("note: ") and "profiler" in line]
    return json.loads(done.stdout.splitlines()[-1]), notes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--syncsniff", required=True)
    parser.add_argument("--where", choices=["start", "middle"])
    options = parser.parse_args()
    if command_line.no_device():
        return command_line.SKIPPED
    good = True
    moments = {"start": 0, "middle": 600}
    for name in [options.where] if options.where else moments:
        for timeline in ("windows", "full"):
            with tempfile.TemporaryDirectory() as folder:
                run = [options.syncsniff, "run", f"--timeline={timeline}", "-o", f"{folder}/t.sstrace", "--"]
                bare, _ = collect(moments[name])
                ours, notes = collect(moments[name], run)
            differ = {event: (count, ours["counts"].get(event, 0)) for event, count in bare["counts"].items()
                      if count != ours["counts"].get(event, 0)}
            differ.update({event: (0, count) for event, count in ours["counts"].items() if event not in bare["counts"]})
            same = not differ and bare["loss"] == ours["loss"]
            good = good and same
            print(f"profiler from the {name}, {timeline}: {sum(bare['counts'].values())} events of {len(bare['counts'])} names bare, "
                  f"{sum(ours['counts'].values())} under the tool; {'the same' if same else differ}; {notes}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
