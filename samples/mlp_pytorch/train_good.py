"""The trainer of train_bad.py without its stalls: pinned inputs, one launch for all norms, results read once."""
import time

import torch

import problem


def main():
    arguments = problem.parse_arguments()
    batches = [(inputs.pin_memory(), target.pin_memory()) for inputs, target in problem.make_batches()]
    model = problem.make_model()
    parameters = list(model.parameters())
    optimizer = torch.optim.AdamW(parameters, lr=1e-3, fused=True)
    loss_function = torch.nn.CrossEntropyLoss()
    results = torch.zeros(arguments.steps, 2, device="cuda")
    begin = time.perf_counter()
    for step in range(arguments.steps):
        host_input, host_target = batches[step % len(batches)]
        inputs, target = host_input.cuda(non_blocking=True), host_target.cuda(non_blocking=True)
        optimizer.zero_grad()
        loss = loss_function(model(inputs), target)
        loss.backward()
        norm = torch.stack(torch._foreach_norm([parameter.grad for parameter in parameters])).norm()
        results[step, 0].copy_(loss.detach())
        results[step, 1].copy_(norm)
        optimizer.step()
        if step == 0:
            print(f"first step issued after {time.perf_counter() - begin:.2f} s")
    torch.cuda.synchronize()
    end = time.perf_counter()
    on_host = results.tolist()
    for step, (value, norm) in enumerate(on_host):
        if value != value:
            raise SystemExit(f"step {step} loss is NaN")
        if step % arguments.print_every == 0:
            print(f"step {step} loss {value:.9g} grad_norm {norm:.9g}")
    print(f"final loss {on_host[-1][0]:.9g}")
    print(f"ms_per_step {(end - begin) * 1e3 / arguments.steps:.4f}")


if __name__ == "__main__":
    main()
