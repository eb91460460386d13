"""A mixture of experts: the tokens of each expert are picked with a mask, in a loop, so no two steps launch the same. Argument: steps."""
import sys
import torch
import torch.nn as nn
import torch.nn.functional as F
import truth


class Experts(nn.Module):
    def __init__(self, d=128, experts=8):
        super().__init__()
        self.gate = nn.Linear(d, experts)
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d)) for _ in range(experts))

    def forward(self, x):
        weights, chosen = self.gate(x).softmax(-1).topk(2, -1)
        out = torch.zeros_like(x)
        for e, expert in enumerate(self.experts):
            rows, slot = torch.where(chosen == e)
            if rows.numel() == 0:
                continue
            out.index_add_(0, rows, expert(x[rows]) * weights[rows, slot, None])
        return out

torch.manual_seed(0)
steps = int(sys.argv[1]) if len(sys.argv) > 1 else 400
model = nn.Sequential(nn.Linear(64, 128), Experts(), Experts(), nn.Linear(128, 1)).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True)
for step in range(steps):
    truth.tick()
    x = torch.randn(1024, 64, device="cuda")
    loss = F.mse_loss(model(x).squeeze(1), x.sum(1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 50 == 0:
        print(f"step {step} loss {loss.item():.9g}", flush=True)
