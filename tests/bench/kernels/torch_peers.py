#!/usr/bin/env python3
"""The kernels beside their peers in PyTorch, in one process: median and spread, L2 flushed before every sample.

usage: torch_peers.py [--samples 30] [--skip-compile]

Builds the Python extension and the benchmark's own maps with PyTorch's build helper (a minute). Every result is
compared with the peer's before it is timed. Exit: 0 done, 1 a result differs, 77 no GPU.
"""
import argparse
import pathlib
import random
import statistics
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]


def build():
    from torch.utils.cpp_extension import load
    include = [str(ROOT / "runtime/kernels/include")]
    for name, source in (("syncsniff_plan", ROOT / "runtime/kernels/python/csrc/plan.cu"),
                         ("syncsniff_bench_maps", HERE / "torch_maps.cu")):
        load(name, [str(source)], extra_include_paths=include, extra_cuda_cflags=["-O3"], is_python_module=False)


class Timer:
    def __init__(self, torch, samples):
        self.torch, self.samples = torch, samples
        self.flush = torch.empty(512 << 20, dtype=torch.uint8, device="cuda")

    def __call__(self, work, samples=None):
        """(median, 10 %, 90 %) of the GPU's microseconds, and the median of the host's to issue it."""
        torch, gpu, host = self.torch, [], []
        for i in range((samples or self.samples) + 3):
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            self.flush.fill_(i % 251)
            begin.record()
            before = time.perf_counter()
            work()
            after = time.perf_counter()
            end.record()
            end.synchronize()
            if i >= 3:
                gpu.append(begin.elapsed_time(end) * 1e3)
                host.append((after - before) * 1e6)
        gpu.sort()
        at = lambda share: gpu[int(share * (len(gpu) - 1))]
        return at(0.5), at(0.1), at(0.9), statistics.median(host)


def row(name, timing, moved=None):
    rate = f" {moved / timing[0] * 1e-3:6.0f} GB/s" if moved else ""
    print(f"  {name:38} {timing[0]:10.1f} us ({timing[1]:.1f} - {timing[2]:.1f})  issue {timing[3]:8.1f} us{rate}",
          flush=True)


def require_close(torch, got, expected, what, tolerance=1e-3):
    if not torch.allclose(got.float(), expected.float(), rtol=tolerance, atol=tolerance):
        sys.exit(f"torch_peers: {what}: results differ by {(got.float() - expected.float()).abs().max().item():g}")


def problems():
    generator = random.Random(1)
    small = lambda count: [1 + generator.randrange(17000) for _ in range(count)]
    mixed = [2200000 + i * 37 if i % 5 == 0 else 1 + generator.randrange(17000) for i in range(500)]
    return [("1,000 of 1-17k", small(1000)), ("5,000 of 1-17k", small(5000)), ("500 mixed", mixed)]


def total_of(torch, tensors):
    total = torch.zeros((), device="cuda")
    for tensor in tensors:
        total += tensor.sum()
    return total


def reductions(torch, timer):
    for name, sizes in problems():
        for dtype in (torch.float32, torch.bfloat16):
            tensors = [torch.randn(size, device="cuda").to(dtype) for size in sizes]
            moved = sum(sizes) * dtype.itemsize
            one = torch.randn(sum(sizes), device="cuda").to(dtype)
            plan = torch.classes.syncsniff.Plan(tensors)
            print(f"{name}, {dtype}: {moved * 1e-6:.1f} MB")
            require_close(torch, plan.sum()[0], torch.stack([t.float().sum() for t in tensors]), "sum", 1e-2)
            require_close(torch, plan.l2_norm()[0], torch.stack(torch._foreach_norm(tensors)), "l2_norm", 1e-2)
            row("one array: torch sum", timer(lambda: torch.sum(one, dtype=torch.float32)), moved)
            row("syncsniff sum", timer(plan.sum), moved)
            row("syncsniff l2_norm", timer(plan.l2_norm), moved)
            row("torch._foreach_norm", timer(lambda: torch._foreach_norm(tensors)), moved)
            row("loop of tensor.sum()", timer(lambda: [t.sum() for t in tensors], 5), moved)
            row("loop of total += tensor.sum()", timer(lambda: total_of(torch, tensors), 5), moved)
            row("loop of tensor.sum().item()", timer(lambda: [t.sum().item() for t in tensors], 3), moved)
            del tensors, one, plan


def optimizer(torch, timer):
    for name, sizes in (problems()[0], problems()[2]):
        make = lambda: [torch.zeros(size, device="cuda") for size in sizes]
        parameters, ours = [torch.randn(size, device="cuda") for size in sizes], None
        ours = [p.clone() for p in parameters]
        gradients = [torch.randn(size, device="cuda") for size in sizes]
        for p, g in zip(parameters, gradients):
            p.grad = g
        peer = torch.optim.AdamW(parameters, lr=1e-3, fused=True)
        plan, means, squares = torch.classes.syncsniff.Plan(ours), make(), make()
        for step in (1, 2, 3):
            peer.step()
            plan.adamw_(gradients, means, squares, 1e-3, 0.9, 0.999, 1e-8, 1e-2, step)
        for a, b in zip(ours[:50], parameters[:50]):
            require_close(torch, a, b, "adamw", 1e-5)
        moved = sum(sizes) * 4 * 7
        print(f"AdamW, {name}, fp32: {sum(sizes) * 4e-6:.1f} MB of parameters")
        row("syncsniff adamw_",
            timer(lambda: plan.adamw_(gradients, means, squares, 1e-3, 0.9, 0.999, 1e-8, 1e-2, 4)), moved)
        row("torch.optim.AdamW(fused=True)", timer(peer.step), moved)
        del parameters, ours, gradients, peer, plan, means, squares


def maps(torch, timer, with_compile):
    for dtype in (torch.float32, torch.bfloat16):
        x, residual = (torch.randn(16384, 4096, device="cuda").to(dtype) for _ in range(2))
        bias, y = torch.randn(4096, device="cuda").to(dtype), torch.empty_like(x)
        sines = lambda t: torch.sin(torch.sin(torch.sin(torch.sin(t))))
        gelu = lambda t, b, r: torch.nn.functional.gelu(t + b) + r
        size = x.numel() * dtype.itemsize
        print(f"maps, {dtype}, 16384 x 4096")
        row("copy_", timer(lambda: y.copy_(x)), 2 * size)
        cases = (("four sines", sines, (x,), torch.ops.syncsniff_bench.four_sines, 2),
                 ("gelu(x + bias) + residual", gelu, (x, bias, residual), torch.ops.syncsniff_bench.gelu_bias_residual, 3))
        for name, formula, inputs, ours, arrays in cases:
            ours(*inputs, y)
            require_close(torch, y, formula(*inputs), name, 1e-5 if dtype == torch.float32 else 5e-2)
            row(f"syncsniff map, {name}", timer(lambda: ours(*inputs, y)), arrays * size)
            if with_compile:
                compiled = torch.compile(formula)
                compiled(*inputs)
                row(f"torch.compile, {name}", timer(lambda: compiled(*inputs)), arrays * size)
            row(f"eager, {name}", timer(lambda: formula(*inputs)), arrays * size)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=30)
    parser.add_argument("--skip-compile", action="store_true")
    options = parser.parse_args()
    import torch
    if not torch.cuda.is_available():
        print("skipped: no CUDA device on this machine")
        return 77
    build()
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, CUDA {torch.version.cuda}")
    timer = Timer(torch, options.samples)
    reductions(torch, timer)
    optimizer(torch, timer)
    maps(torch, timer, not options.skip_compile)
    return 0


if __name__ == "__main__":
    sys.exit(main())
