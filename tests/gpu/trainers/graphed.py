"""A PyTorch trainer whose whole step (forward, backward, Adam) is one CUDA graph, launched and read back in a loop."""
import argparse
import time

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=4000)
parser.add_argument("--read-every", type=int, default=1, help="steps between two read-backs of the loss")
arguments = parser.parse_args()

torch.manual_seed(0)
device = torch.device("cuda")
model = torch.nn.Sequential(*[layer for width in range(6) for layer in (torch.nn.Linear(512, 512), torch.nn.GELU())],
                            torch.nn.Linear(512, 10)).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-4, capturable=True)
inputs, target = torch.randn(256, 512, device=device), torch.randint(0, 10, (256,), device=device)
batches = torch.randn(16, 256, 512, device=device)


def step():
    optimizer.zero_grad(set_to_none=True)
    loss = torch.nn.functional.cross_entropy(model(inputs), target)
    loss.backward()
    optimizer.step()
    return loss


warm_up = torch.cuda.Stream()
warm_up.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(warm_up):
    for _ in range(3):
        step()
torch.cuda.current_stream().wait_stream(warm_up)
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    loss = step()
torch.cuda.synchronize()

begin = time.perf_counter()
for number in range(arguments.steps):
    inputs.copy_(batches[number % 16])
    graph.replay()
    if number % arguments.read_every == 0:
        value = loss.item()
        if number % 20 == 0:
            print(f"step {number} loss {value:.9g}")
torch.cuda.synchronize()
print(f"ms_per_step {(time.perf_counter() - begin) * 1e3 / arguments.steps:.4f}")
print(f"truth: {arguments.steps} steps", f"final loss {loss.item():.9g}", sep="\n")
