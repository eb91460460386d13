"""A PyTorch trainer with the usual stalls; train_good.py is its repaired twin."""
import math
import time

import torch

import problem


def gradient_norm(parameters):
    square = 0.0
    for parameter in parameters:
        square += parameter.grad.norm().item() ** 2
    return math.sqrt(square)


def main():
    arguments = problem.parse_arguments()
    batches = problem.make_batches()
    model = problem.make_model()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, foreach=False)
    loss_function = torch.nn.CrossEntropyLoss()
    begin = time.perf_counter()
    for step in range(arguments.steps):
        host_input, host_target = batches[step % len(batches)]
        inputs, target = host_input.cuda(), host_target.cuda()
        optimizer.zero_grad()
        loss = loss_function(model(inputs), target)
        if torch.isnan(loss):
            raise SystemExit(f"step {step} loss is NaN")
        loss.backward()
        norm = gradient_norm(model.parameters())
        optimizer.step()
        value = loss.item()
        if step % arguments.print_every == 0:
            print(f"step {step} loss {value:.9g} grad_norm {norm:.9g}")
    torch.cuda.synchronize()
    end = time.perf_counter()
    print(f"final loss {value:.9g}")
    print(f"ms_per_step {(end - begin) * 1e3 / arguments.steps:.4f}")


if __name__ == "__main__":
    main()
