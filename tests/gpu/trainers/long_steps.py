"""Steps of seconds, longer than any window: a batch is prepared on the host, then many micro-batches and one step of the
optimizer. Arguments: steps, seconds of a step, the part of it that the host works without launching."""
import sys
import time

import numpy as np
import torch
import torch.nn as nn

import truth

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 5
seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 5.0
host_part = float(sys.argv[3]) if len(sys.argv) > 3 else 0.4
torch.manual_seed(0)
model = nn.Sequential(*[layer for _ in range(6) for layer in (nn.Linear(512, 512), nn.GELU())], nn.Linear(512, 1)).cuda()
optimizer = torch.optim.AdamW(model.parameters(), 1e-4)
rng = np.random.default_rng(0)


def prepare(until):
    values = rng.standard_normal((512, 512)).astype(np.float32)
    while time.perf_counter() < until:
        values = np.tanh(values @ values * 0.01)
    return torch.from_numpy(values)


for step in range(steps):
    truth.tick()
    begin = time.perf_counter()
    batch = prepare(begin + seconds * host_part).cuda()
    optimizer.zero_grad()
    count = 0
    while time.perf_counter() < begin + seconds:
        loss = model(batch).square().mean() / 100
        loss.backward()
        count += 1
        if count % 20 == 0:
            loss.item()
    optimizer.step()
    print(f"step {step} loss {loss.item():.7g} micro-batches {count}", flush=True)
