#!/usr/bin/env python3
"""Every kernel beside its peers, in C++ and in PyTorch, in one process: median and spread, L2 flushed before samples.

usage: bench.py [--samples 30] [--skip-compile] [--only reductions,in_place,optimizers,maps,cpp]

Builds the Python extension and the benchmarks with PyTorch's build helper (two minutes; kept for the next time). Results
that PyTorch computes too are compared before they are timed (samples of the long lists). Exit: 0 done, 1 a result
differs, 77 no GPU.
"""
import argparse
import itertools
import pathlib
import random
import statistics
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]


# PyTorch's helper turns the conversions of half types off, which CUB's peers are written with.
CUDA_FLAGS = ["-O3", *(f"-U__CUDA_NO_{what}__" for what in
                       ("HALF_OPERATORS", "HALF_CONVERSIONS", "HALF2_OPERATORS", "BFLOAT16_CONVERSIONS"))]
BENCHES = ("run_all.cu", "reductions.cu", "elementwise.cu", "one_tensor.cu", "steps.cu", "torch_ops.cu")


def build():
    from torch.utils.cpp_extension import load
    include = [str(ROOT / "runtime/kernels/include")]
    for name, sources in (("syncsniff_plan", [ROOT / "runtime/kernels/python/csrc/plan.cu"]),
                          ("syncsniff_benches", [HERE / file for file in BENCHES])):
        load(name, [str(source) for source in sources], extra_include_paths=include, extra_cuda_cflags=CUDA_FLAGS,
             is_python_module=False)


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


def row(name, timing, moved, copy_rate):
    """moved: the bytes that the work has to move at least; copy_rate: the machine's own copy of as many, in bytes/us."""
    rate = moved / timing[0]
    print(f"  {name:38} {timing[0]:10.1f} us ({timing[1]:.1f} - {timing[2]:.1f})  issue {timing[3]:8.1f} us "
          f"{rate * 1e-3:6.0f} GB/s  {100 * rate / copy_rate:5.1f} % of copy", flush=True)


def copy_rate_of(torch, timer, size):
    """Of one array of `size` bytes, read and written."""
    source, destination = (torch.empty(size, dtype=torch.uint8, device="cuda") for _ in range(2))
    return 2 * size / timer(lambda: destination.copy_(source))[0]


def require_close(torch, got, expected, what, tolerance=1e-3):
    if not torch.allclose(got.float(), expected.float(), rtol=tolerance, atol=tolerance):
        sys.exit(f"bench: {what}: results differ by {(got.float() - expected.float()).abs().max().item():g}")


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
            rate = copy_rate_of(torch, timer, moved)
            inverse_scale, found = torch.ones((), device="cuda"), torch.zeros((), device="cuda")
            biggest = lambda: torch._foreach_norm(tensors, float("inf"))
            require_close(torch, plan.sum()[0], torch.stack([t.float().sum() for t in tensors]), "sum", 1e-2)
            require_close(torch, plan.l2_norm()[0], torch.stack(torch._foreach_norm(tensors)), "l2_norm", 1e-2)
            require_close(torch, plan.abs_max()[0], torch.stack(biggest()), "abs_max", 1e-6)
            row("one array: torch sum", timer(lambda: torch.sum(one, dtype=torch.float32)), moved, rate)
            row("syncsniff sum", timer(plan.sum), moved, rate)
            row("syncsniff l2_norm", timer(plan.l2_norm), moved, rate)
            row("torch._foreach_norm", timer(lambda: torch._foreach_norm(tensors)), moved, rate)
            row("syncsniff abs_max", timer(plan.abs_max), moved, rate)
            row("torch._foreach_norm(inf)", timer(biggest), moved, rate)
            row("syncsniff mean", timer(plan.mean), moved, rate)
            row("syncsniff any_nonfinite", timer(plan.any_nonfinite), moved, rate)
            row("loop of tensor.isfinite().all()", timer(lambda: [t.isfinite().all() for t in tensors], 3), moved, rate)
            if dtype == torch.float32:  # scales as well, so that it writes what it reads
                check = lambda: torch._amp_foreach_non_finite_check_and_unscale_(tensors, found, inverse_scale)
                row("torch._amp_foreach_non_finite_check", timer(check), 2 * moved, rate)
                del check
            row("loop of tensor.sum()", timer(lambda: [t.sum() for t in tensors], 5), moved, rate)
            row("loop of total += tensor.sum()", timer(lambda: total_of(torch, tensors), 5), moved, rate)
            row("loop of tensor.sum().item()", timer(lambda: [t.sum().item() for t in tensors], 3), moved, rate)
            del tensors, one, plan, biggest


def in_place(torch, timer):
    for name, sizes in (problems()[0], problems()[2]):
        make = lambda: [torch.randn(size, device="cuda") for size in sizes]
        ours, other = make(), make()
        theirs = [t.clone() for t in ours]
        plan = torch.classes.syncsniff.Plan(ours)
        plan.scale_(0.5), torch._foreach_mul_(theirs, 0.5)
        plan.axpby_(2.0, other, 0.25), torch._foreach_mul_(theirs, 0.25), torch._foreach_add_(theirs, other, alpha=2.0)
        require_close(torch, ours[0], theirs[0], "axpby", 1e-5)
        moved = sum(sizes) * 4
        print(f"in place, {name}, fp32: {moved * 1e-6:.1f} MB")
        rate = copy_rate_of(torch, timer, moved)
        row("syncsniff scale_", timer(lambda: plan.scale_(1.0)), 2 * moved, rate)
        row("torch._foreach_mul_", timer(lambda: torch._foreach_mul_(theirs, 1.0)), 2 * moved, rate)
        row("syncsniff axpby_", timer(lambda: plan.axpby_(0.5, other, 0.5)), 3 * moved, rate)

        def two_calls():
            torch._foreach_mul_(theirs, 0.5)
            torch._foreach_add_(theirs, other, alpha=0.5)

        row("torch._foreach_mul_, _foreach_add_", timer(two_calls), 3 * moved, rate)
        row("torch._foreach_lerp_", timer(lambda: torch._foreach_lerp_(theirs, other, 0.5)), 3 * moved, rate)
        for tensor, gradient in zip(theirs, other):
            tensor.grad = gradient
        gradients = torch.classes.syncsniff.Plan([g.clone() for g in other])
        clip = lambda bound: torch.nn.utils.clip_grad_norm_(theirs, bound, foreach=True)
        require_close(torch, gradients.clip_by_total_norm_(1.0), clip(1.0), "clip_by_total_norm", 1e-3)
        ever_less = (2.0**-i for i in itertools.count(1))  # than what the call before has left
        row("syncsniff clip_by_total_norm_, clipping",
            timer(lambda: gradients.clip_by_total_norm_(next(ever_less))), 3 * moved, rate)
        ever_less = (2.0**-i for i in itertools.count(1))
        row("torch clip_grad_norm_, clipping", timer(lambda: clip(next(ever_less))), 3 * moved, rate)
        row("syncsniff clip_by_total_norm_, within", timer(lambda: gradients.clip_by_total_norm_(1e30)), moved, rate)
        row("torch clip_grad_norm_, within", timer(lambda: clip(1e30)), moved, rate)
        row("syncsniff zero_", timer(plan.zero_), moved, rate)
        row("torch._foreach_zero_", timer(lambda: torch._foreach_zero_(theirs)), moved, rate)
        del ours, theirs, other, plan, gradients, clip, two_calls


def optimizers(torch, timer):
    for name, sizes in (problems()[0], problems()[2]):
        zeros = lambda: [torch.zeros(size, device="cuda") for size in sizes]
        start = [torch.randn(size, device="cuda") for size in sizes]
        gradients = [torch.randn(size, device="cuda") for size in sizes]
        parameters = sum(sizes) * 4
        print(f"optimizers, {name}, fp32: {parameters * 1e-6:.1f} MB of parameters")
        rate = copy_rate_of(torch, timer, parameters)

        def compare(what, arrays, make_peer, our_step):
            ours, theirs = [p.clone() for p in start], [p.clone() for p in start]
            for parameter, gradient in zip(theirs, gradients):
                parameter.grad = gradient
            plan, peer = torch.classes.syncsniff.Plan(ours), make_peer(theirs)
            for step in (1, 2, 3):
                peer.step()
                our_step(plan, step)
            for a, b in zip(ours[:50], theirs[:50]):
                require_close(torch, a, b, what, 1e-5)
            row(f"syncsniff {what}", timer(lambda: our_step(plan, 4)), arrays * parameters, rate)
            row(f"torch.optim.{type(peer).__name__}(fused=True)", timer(peer.step), arrays * parameters, rate)

        means, squares, velocities = zeros(), zeros(), zeros()
        compare("adamw_", 7, lambda p: torch.optim.AdamW(p, lr=1e-3, fused=True),
                lambda plan, step: plan.adamw_(gradients, means, squares, 1e-3, 0.9, 0.999, 1e-8, 1e-2, step))
        del means, squares
        compare("sgd_momentum_", 5, lambda p: torch.optim.SGD(p, lr=1e-2, momentum=0.9, fused=True),
                lambda plan, step: plan.sgd_momentum_(gradients, velocities, 1e-2, 0.9, 0.0, False))
        del start, gradients, velocities


def maps(torch, timer, with_compile):
    for dtype in (torch.float32, torch.bfloat16):
        x, residual = (torch.randn(16384, 4096, device="cuda").to(dtype) for _ in range(2))
        bias, y = torch.randn(4096, device="cuda").to(dtype), torch.empty_like(x)
        sines = lambda t: torch.sin(torch.sin(torch.sin(torch.sin(t))))
        gelu = lambda t, b, r: torch.nn.functional.gelu(t + b) + r
        size = x.numel() * dtype.itemsize
        print(f"maps, {dtype}, 16384 x 4096")
        copy = timer(lambda: y.copy_(x))
        rate = 2 * size / copy[0]
        row("copy_", copy, 2 * size, rate)
        cases = (("four sines", sines, (x,), torch.ops.syncsniff_bench.four_sines, 2),
                 ("gelu(x + bias) + residual", gelu, (x, bias, residual), torch.ops.syncsniff_bench.gelu_bias_residual,
                  3))
        for name, formula, inputs, ours, arrays in cases:
            ours(*inputs, y)
            require_close(torch, y, formula(*inputs), name, 1e-5 if dtype == torch.float32 else 5e-2)
            row(f"syncsniff map, {name}", timer(lambda: ours(*inputs, y)), arrays * size, rate)
            if with_compile:
                compiled = torch.compile(formula)
                compiled(*inputs)
                row(f"torch.compile, {name}", timer(lambda: compiled(*inputs)), arrays * size, rate)
            row(f"eager, {name}", timer(lambda: formula(*inputs)), arrays * size, rate)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=30)
    parser.add_argument("--skip-compile", action="store_true", help="leave torch.compile out")
    parser.add_argument("--only", default="cpp,reductions,in_place,optimizers,maps", help="tables, by comma")
    options = parser.parse_args()
    import torch
    if not torch.cuda.is_available():
        print("skipped: no CUDA device on this machine")
        return 77
    tables = {"cpp": lambda timer: torch.ops.syncsniff_bench.run_all(),
              "reductions": lambda timer: reductions(torch, timer), "in_place": lambda timer: in_place(torch, timer),
              "optimizers": lambda timer: optimizers(torch, timer),
              "maps": lambda timer: maps(torch, timer, not options.skip_compile)}
    wanted = options.only.split(",")
    for name in wanted:
        if name not in tables:
            parser.error(f"no table '{name}'; there are {', '.join(tables)}")
    build()
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, CUDA {torch.version.cuda}", flush=True)
    timer = Timer(torch, options.samples)
    for name in wanted:
        if tables[name](timer):  # run_all()'s, where it could not do all
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
