"""Self-play with a search: 250 forward passes of one board, then five steps of the optimizer. Argument: iterations."""
import sys
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import truth
torch.manual_seed(0)
steps = int(sys.argv[1]) if len(sys.argv) > 1 else 12
net = nn.Sequential(nn.Conv2d(2, 32, 3, padding=1), nn.ReLU(), nn.Conv2d(32, 32, 3, padding=1), nn.ReLU(), nn.Flatten(), nn.Linear(32 * 81, 82)).cuda()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
rng = np.random.default_rng(0)

def search(board, simulations=25):
    visits = np.zeros(81)
    for _ in range(simulations):
        trial = board.copy()
        for _ in range(3):
            trial[0, rng.integers(9), rng.integers(9)] = 1
        with torch.no_grad():
            out = net(torch.from_numpy(trial)[None].cuda())[0]
        visits[out[:81].argmax().item()] += 1 + torch.tanh(out[81]).item()
    return visits

for iteration in range(steps):
    truth.tick()
    states, targets = [], []
    board = np.zeros((2, 9, 9), np.float32)
    for move in range(10):
        v = search(board)
        states.append(board.copy())
        targets.append(v / max(v.sum(), 1))
        board[move % 2].flat[int(v.argmax())] = 1
    s = torch.from_numpy(np.stack(states)).cuda()
    t = torch.from_numpy(np.stack(targets)).float().cuda()
    for epoch in range(5):
        loss = -(F.log_softmax(net(s)[:, :81], 1) * t).sum(1).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(f"step {iteration} loss {loss.item():.7g}", flush=True)
