"""DistributedDataParallel under torchrun; rank 1 is late by `--late-ms` in each step.

Needs a GPU for each rank with NCCL; with `--backend gloo` the ranks share those that are there.
"""
import argparse
import os
import time

import torch

import truth

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=150)
parser.add_argument("--late-ms", type=float, default=3)
parser.add_argument("--backend", choices=["nccl", "gloo"], default="nccl")
options = parser.parse_args()

rank = int(os.environ["LOCAL_RANK"])
device = rank % torch.cuda.device_count() if options.backend == "gloo" else rank
torch.cuda.set_device(device)
torch.distributed.init_process_group(
    options.backend, device_id=torch.device("cuda", device) if options.backend == "nccl" else None)
torch.manual_seed(0)
model = torch.nn.Sequential(*[torch.nn.Linear(1024, 1024) for _ in range(8)]).cuda()
model = torch.nn.parallel.DistributedDataParallel(model, device_ids=[device])
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
data = torch.randn(128, 1024)


def prepare():
    until = time.perf_counter() + options.late_ms / 1e3
    while time.perf_counter() < until:
        pass


for step in range(options.steps):
    truth.tick()
    if rank == 1:
        prepare()
    loss = model(data.cuda(non_blocking=True)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
torch.cuda.synchronize()
print(f"rank {rank} loss {loss.item():.9g}")
torch.distributed.destroy_process_group()
