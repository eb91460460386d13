"""Proximal policy optimization with four processes that play: 32 moves, then 16 steps of the optimizer. Argument: iterations."""
import sys
import numpy as np
import torch
import torch.nn as nn
import torch.multiprocessing as mp
import truth

def worker(conn, seed):
    rng = np.random.default_rng(seed)
    state = rng.standard_normal(32).astype(np.float32)
    weight = rng.standard_normal((200, 200))
    while True:
        action = conn.recv()
        if action is None:
            break
        for _ in range(8):
            weight = np.tanh(weight @ weight * 0.01)
        state = (state * 0.9 + rng.standard_normal(32) * 0.1 + action * 0.01).astype(np.float32)
        conn.send((state, float(state.mean())))

def main():
    torch.manual_seed(0)
    torch.set_num_threads(4)
    iterations = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    pipes, procs = [], []
    ctx = mp.get_context("spawn")
    for i in range(4):
        here, there = ctx.Pipe()
        p = ctx.Process(target=worker, args=(there, i), daemon=True)
        p.start(); pipes.append(here)
        procs.append(p)
    policy = nn.Sequential(nn.Linear(32, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh(), nn.Linear(128, 5)).cuda()
    opt = torch.optim.Adam(policy.parameters(), lr=3e-4)
    states = np.zeros((4, 32), np.float32)
    for it in range(iterations):
        truth.tick()
        obs, acts, rewards = [], [], []
        for t in range(32):
            with torch.no_grad():
                x = torch.as_tensor(states, device="cuda")
                dist = torch.distributions.Categorical(logits=policy(x)[:, :4])
                a = dist.sample()
            actions = a.cpu().numpy()
            for pipe, action in zip(pipes, actions):
                pipe.send(int(action))
            results = [pipe.recv() for pipe in pipes]
            obs.append(x)
            acts.append(a)
            rewards.append([r for _, r in results])
            states = np.stack([s for s, _ in results])
        obs, acts = torch.cat(obs), torch.cat(acts)
        ret = torch.tensor(rewards, device="cuda").flip(0).cumsum(0).flip(0).reshape(-1)
        for epoch in range(4):
            for idx in torch.randperm(128, device="cuda").split(32):
                dist = torch.distributions.Categorical(logits=policy(obs[idx])[:, :4])
                loss = -(dist.log_prob(acts[idx]) * ret[idx]).mean() - 0.01 * dist.entropy().mean()
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
                opt.step()
        if it % 10 == 0:
            print(f"step {it} reward {ret.mean().item():.6g}", flush=True)
    for pipe in pipes:
        pipe.send(None)

if __name__ == "__main__":
    main()
