"""A PyTorch trainer with the stalls that its arguments ask for, each in a function of its own."""
import argparse
import queue
import threading
import time

import torch

import truth

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=600)
parser.add_argument("--load-ms", type=float, default=0, help="busy host work at the top of the loop")
parser.add_argument("--sleep-ms", type=float, default=0, help="a loader that sleeps")
parser.add_argument("--queue-ms", type=float, default=0, help="a loader thread that needs so long for each batch")
parser.add_argument("--gil-ms", type=float, default=0, help="another thread that holds the interpreter so long, often")
parser.add_argument("--log-ms", type=float, default=0, help="busy host work after the optimizer's step")
parser.add_argument("--item", action="store_true", help="read the loss back each step")
parser.add_argument("--wide", type=int, default=256)
parser.add_argument("--layers", type=int, default=8)
parser.add_argument("--batch", type=int, default=64)
parser.add_argument("--fused", action="store_true")
parser.add_argument("--without", choices=["load_ms", "sleep_ms", "queue_ms", "log_ms", "loop"],
                    help="every second block of steps goes without this stall (loop: with the fused optimizer)")
options = parser.parse_args()

torch.manual_seed(0)
device = "cuda"
layers = []
for _ in range(options.layers):
    layers += [torch.nn.Linear(options.wide, options.wide), torch.nn.ReLU()]
model = torch.nn.Sequential(*layers).to(device)
looped = torch.optim.AdamW(model.parameters(), foreach=False, fused=options.fused or None)
fused = torch.optim.AdamW(model.parameters(), fused=True) if options.without == "loop" else None
data = torch.randn(options.batch, options.wide)


def spin(ms):
    until = time.perf_counter() + ms / 1e3
    while time.perf_counter() < until:
        pass


def load():
    spin(options.load_ms)


def fetch():
    time.sleep(options.sleep_ms / 1e3)


def log():
    spin(options.log_ms)


batches = queue.Queue(maxsize=1)


def produce():
    while True:
        time.sleep(options.queue_ms / 1e3)
        batches.put(data)


def hold_interpreter():
    while True:
        sum(range(int(options.gil_ms * 40000)))  # one call that never lets go
        time.sleep(options.gil_ms / 1e3)


if options.queue_ms:
    threading.Thread(target=produce, daemon=True).start()
if options.gil_ms:
    threading.Thread(target=hold_interpreter, daemon=True).start()

total = 0.0
for step in range(options.steps):
    truth.tick()
    repaired = options.without if options.without and truth.in_repaired_block() else None
    optimizer = fused if repaired == "loop" else looped
    if options.load_ms and repaired != "load_ms":
        load()
    if options.sleep_ms and repaired != "sleep_ms":
        fetch()
    batch = batches.get() if options.queue_ms and repaired != "queue_ms" else data
    output = model(batch.to(device))
    loss = output.square().mean()
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    if options.item:
        total += loss.item()
    if options.log_ms and repaired != "log_ms":
        log()
torch.cuda.synchronize()
print(f"loss {loss.item():.9g}")
