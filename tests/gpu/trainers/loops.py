"""Training loops of many shapes, to count steps in: loops.py SHAPE [STEPS]. Each ticks once a step of its optimizer."""
import sys

import torch

import truth

device = "cuda"
shape = sys.argv[1]
steps = int(sys.argv[2]) if len(sys.argv) > 2 else 400
torch.manual_seed(0)


def network(width=256, depth=6):
    layers = []
    for _ in range(depth):
        layers += [torch.nn.Linear(width, width), torch.nn.LayerNorm(width), torch.nn.GELU()]
    return torch.nn.Sequential(*layers, torch.nn.Linear(width, 1)).to(device)


def batch(rows=64, width=256):
    return torch.randn(rows, width, device=device)


def train_step(model, optimizer):
    optimizer.zero_grad()
    loss = model(batch()).square().mean()
    loss.backward()
    optimizer.step()
    return loss


def plain():  # reads the loss back every tenth step
    model = network()
    optimizer = torch.optim.AdamW(model.parameters(), 1e-4)
    for step in range(steps):
        truth.tick()
        loss = train_step(model, optimizer)
        if step % 10 == 0:
            print(step, loss.item())


def silent():  # waits for nothing until the end
    model = network()
    optimizer = torch.optim.SGD(model.parameters(), 1e-4)
    for _ in range(steps):
        truth.tick()
        train_step(model, optimizer)


def accumulate(fused=False, every=4):
    model = network()
    optimizer = torch.optim.AdamW(model.parameters(), 1e-4, fused=fused or None)
    for step in range(steps):
        truth.tick()
        for _ in range(every):
            (model(batch()).square().mean() / every).backward()
        optimizer.step()
        optimizer.zero_grad()


def accumulate_fused():
    accumulate(True)


def epochs():  # twenty batches, then five of validation with a read-back each
    model = network()
    optimizer = torch.optim.Adam(model.parameters(), 1e-4)
    for step in range(steps):
        truth.tick()
        train_step(model, optimizer)
        if step % 20 == 19:
            model.eval()
            with torch.no_grad():
                print(sum(model(batch(512)).square().mean().item() for _ in range(5)))
            model.train()


def gan():  # two optimizers a step
    generator, critic = network(), network()
    of_generator = torch.optim.Adam(generator.parameters(), 1e-4)
    of_critic = torch.optim.Adam(critic.parameters(), 1e-4)
    for step in range(steps):
        truth.tick()
        fake = generator(batch()) * batch()
        of_critic.zero_grad()
        (critic(fake.detach()).mean() - critic(batch()).mean()).backward()
        of_critic.step()
        of_generator.zero_grad()
        (-critic(fake).mean()).backward()
        of_generator.step()
        if step % 50 == 0:
            print(step, fake.sum().item())


def recurrent():  # thirty time steps of one cell in a loop
    cell, head = torch.nn.GRUCell(64, 64).to(device), torch.nn.Linear(64, 1).to(device)
    optimizer = torch.optim.Adam([*cell.parameters(), *head.parameters()], 1e-4)
    for _ in range(steps):
        truth.tick()
        state = torch.zeros(32, 64, device=device)
        for _ in range(30):
            state = cell(batch(32, 64), state)
        optimizer.zero_grad()
        loss = head(state).square().mean()
        loss.backward()
        optimizer.step()
        loss.item()


def graph():  # one CUDA graph a step, read back every twentieth
    model = network()
    optimizer = torch.optim.SGD(model.parameters(), 1e-4)
    inputs = batch()
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(3):
            train_step(model, optimizer)
    torch.cuda.synchronize()
    recorded = torch.cuda.CUDAGraph()
    with torch.cuda.graph(recorded):
        optimizer.zero_grad()
        loss = model(inputs).square().mean()
        loss.backward()
        optimizer.step()
    host = torch.randn(64, 256).pin_memory()
    for step in range(steps):
        truth.tick()
        inputs.copy_(host, non_blocking=True)
        recorded.replay()
        if step % 20 == 0:
            print(step, loss.item())


def ranges():  # names of its own, and those of every operator
    model = network()
    optimizer = torch.optim.AdamW(model.parameters(), 1e-4)
    with torch.autograd.profiler.emit_nvtx():
        for step in range(steps):
            truth.tick()
            with torch.cuda.nvtx.range("train step"):
                train_step(model, optimizer)


def decode():  # no training: sixteen tokens for each request, read back one by one
    model = network(512, 4)
    with torch.no_grad():
        for _ in range(steps):
            truth.tick()
            token = batch(1, 512)
            for _ in range(16):
                token = token + model(token)
                token.sum().item()


globals()[shape]()
torch.cuda.synchronize()
