#!/usr/bin/env python3
"""The PyTorch extension as its users get it: `pip install` into an empty folder, then every method against float64.

usage: torch_extension.py [--keep FOLDER]        Exit: 0 all right, 1 not so, 77 no GPU, PyTorch or nvcc

Tensors of odd sizes, some misaligned, of each type; CuPy and JAX arrays through DLPack where those are installed;
wrong input; a captured graph.
"""
import argparse
import importlib
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZES = [1, 0, 7, 8, 9, 1000, 16383, 65537, 300001]
failures = []


def check(good, what):
    print(f"{'ok  ' if good else 'FAIL'} {what}", flush=True)
    if not good:
        failures.append(what)


def install(folder):
    # A copy: setuptools leaves its build folder beside setup.py.
    sources = pathlib.Path(folder) / "kernels"
    shutil.copytree(ROOT / "runtime" / "kernels", sources)
    done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps",
                           "--target", str(pathlib.Path(folder) / "site"), str(sources / "python")],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"torch_extension: pip install: {done.stdout[-1500:]}{done.stderr[-3000:]}")
    sys.path.insert(0, str(pathlib.Path(folder) / "site"))
    return importlib.import_module("syncsniff_kernels")


def tensors_of(torch, dtype, seed):
    generator = torch.Generator(device="cuda").manual_seed(seed)
    made = []
    for i, size in enumerate(SIZES):
        base = torch.randn(size + 3, generator=generator, device="cuda").to(dtype)
        made.append(base[i % 3:i % 3 + size])  # two in three do not stand on 16 bytes
    return made


def close(torch, got, expected, tolerance):
    return torch.allclose(got.double().cpu(), expected.double().cpu(), rtol=tolerance, atol=tolerance)


def reductions(torch, kernels, dtype):
    tensors = tensors_of(torch, dtype, 1)
    wide = [t.double() for t in tensors]
    plan = kernels.plan(tensors)
    everything = torch.cat(wide)
    expected = {"sum": ([t.sum() for t in wide], everything.sum()),
                "l2_norm": ([t.norm() for t in wide], everything.norm()),
                "abs_max": ([t.abs().max() if len(t) else t.sum() for t in wide], everything.abs().max())}
    for name, (each, total) in expected.items():
        got_each, got_total = getattr(plan, name)()
        check(close(torch, got_each, torch.stack(each), 2e-5) and close(torch, got_total, total, 1e-3),
              f"{dtype} {name}")
    each, total = plan.mean()
    filled = [i for i, size in enumerate(SIZES) if size]
    check(close(torch, each[filled], torch.stack([wide[i].mean() for i in filled]), 1e-5) and
          close(torch, total, everything.mean(), 1e-5), f"{dtype} mean")
    check(plan.any_nonfinite()[1].item() == 0, f"{dtype} any_nonfinite of finite ones")
    tensors[6][5] = math.nan
    flags, any_flag = plan.any_nonfinite()
    check(any_flag.item() != 0 and flags.ne(0).nonzero().flatten().tolist() == [6], f"{dtype} any_nonfinite finds it")


def updates(torch, kernels, dtype, tolerance):
    parameters, gradients = tensors_of(torch, dtype, 2), tensors_of(torch, dtype, 3)
    plan = kernels.plan(parameters)
    before = [p.double() for p in parameters]
    plan.scale_(0.5)
    plan.axpby_(2.0, gradients, 3.0)
    check(all(close(torch, p, 2 * g.double() + 1.5 * b, tolerance)
              for p, g, b in zip(parameters, gradients, before)), f"{dtype} scale_, axpby_")
    before = [p.double() for p in parameters]
    norm = plan.clip_by_total_norm_(1.0)
    total = torch.cat(before).norm()
    check(close(torch, norm, total, 1e-2) and close(torch, torch.cat([p.double() for p in parameters]).norm(),
                                                    torch.ones(()), 2e-2), f"{dtype} clip_by_total_norm_")
    plan.zero_()
    check(all(p.count_nonzero().item() == 0 for p in parameters), f"{dtype} zero_")


def optimizers(torch, kernels):
    start, gradients = tensors_of(torch, torch.float32, 4), tensors_of(torch, torch.float32, 5)
    for name in ("adamw", "sgd"):
        ours = [t.clone() for t in start]
        theirs = [t.clone().requires_grad_() for t in start]
        for parameter, gradient in zip(theirs, gradients):
            parameter.grad = gradient
        states = [[torch.zeros_like(t) for t in start] for _ in range(2)]
        plan = kernels.plan(ours)
        if name == "adamw":
            peer = torch.optim.AdamW(theirs, lr=1e-2, weight_decay=0.1, foreach=False)
            step = lambda i: plan.adamw_(gradients, states[0], states[1], 1e-2, 0.9, 0.999, 1e-8, 0.1, i)
        else:
            peer = torch.optim.SGD(theirs, lr=1e-2, momentum=0.9, weight_decay=0.1, nesterov=True, foreach=False)
            step = lambda i: plan.sgd_momentum_(gradients, states[0], 1e-2, 0.9, 0.1, True)
        for i in (1, 2, 3):
            peer.step()
            step(i)
        check(all(close(torch, a, b.detach(), 1e-5) for a, b in zip(ours, theirs)), f"{name}, 3 steps")


def moved_and_captured(torch, kernels):
    first, second = tensors_of(torch, torch.float32, 6), tensors_of(torch, torch.float32, 7)
    plan = kernels.plan(first)
    plan.update(second)
    check(close(torch, plan.sum()[1], torch.cat(second).double().sum(), 1e-3), "update() to other addresses")
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        each, total = plan.sum()
    for tensor in second:
        tensor.fill_(2.0)
    graph.replay()
    check(total.item() == 2.0 * sum(SIZES), "captured, then replayed on new values")


def dlpack(torch, kernels):
    for name in ("cupy", "jax.numpy"):
        try:
            library = importlib.import_module(name)
            arrays = [library.arange(size, dtype="float32") for size in (5, 1000, 70001)]
        except Exception as error:  # not installed, or it cannot use this GPU
            print(f"skipped {name}: {type(error).__name__}: {str(error)[:80]}")
            continue
        each, _ = kernels.plan(arrays).sum()
        check(close(torch, each, torch.tensor([n * (n - 1) / 2 for n in (5, 1000, 70001)]), 1e-6), f"{name} by DLPack")


def wrong_input(torch, kernels):
    good = torch.zeros(8, device="cuda")
    cases = [([], RuntimeError), ([torch.zeros(8)], RuntimeError), ([good, good.half()], RuntimeError),
             ([torch.zeros(8, 8, device="cuda")[:, ::2]], RuntimeError), ([good.int()], RuntimeError),
             (["tensor"], TypeError)]
    for tensors, expected in cases:
        try:
            kernels.plan(tensors)
            check(False, f"no error for {tensors}")
        except expected as error:
            check(len(str(error)) > 10, f"{expected.__name__}: {str(error).splitlines()[0][:90]}")
    plan = kernels.plan([good])
    for name, call in (("other sizes", lambda: plan.update([torch.zeros(9, device="cuda")])),
                       ("another number", lambda: plan.axpby_(1.0, [good, good], 1.0)),
                       ("other strides", lambda: kernels.plan([torch.zeros(4, 6, device="cuda")]).axpby_(
                           1.0, [torch.zeros(6, 4, device="cuda").t()], 1.0))):
        try:
            call()
            check(False, f"no error for {name}")
        except RuntimeError as error:
            check(True, f"{name}: {str(error).splitlines()[0][:90]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", help="install there and leave it")
    options = parser.parse_args()
    try:
        import torch
    except ImportError:
        print("skipped: no PyTorch")
        return 77
    if not torch.cuda.is_available() or shutil.which("nvcc") is None:
        print("skipped: no CUDA device, or no nvcc")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        kernels = install(options.keep or folder)
        for dtype, tolerance in ((torch.float32, 1e-5), (torch.float16, 1e-2), (torch.bfloat16, 5e-2)):
            reductions(torch, kernels, dtype)
            updates(torch, kernels, dtype, tolerance)
        optimizers(torch, kernels)
        moved_and_captured(torch, kernels)
        dlpack(torch, kernels)
        wrong_input(torch, kernels)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
