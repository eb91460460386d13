"""torch.nn.DataParallel over all GPUs that are there, with a read-back each step. Argument: steps."""
import sys

import torch

import truth

torch.manual_seed(0)
steps = int(sys.argv[1]) if len(sys.argv) > 1 else 300
model = torch.nn.Sequential(*[torch.nn.Linear(512, 512) for _ in range(8)]).cuda()
model = torch.nn.DataParallel(model)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
data = torch.randn(256, 512)

for step in range(steps):
    truth.tick()
    loss = model(data.cuda(non_blocking=True)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    loss.item()
print(f"loss {loss.item():.9g}")
