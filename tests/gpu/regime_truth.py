"""Matrix products of known shapes: what the report says of their FLOP and their share of the peak against what the
program computes itself. Needs a GPU and PyTorch.

    regime_truth.py SYNCSNIFF [CASE...]   runs the cases under `SYNCSNIFF run` and prints both, one case a line. Exit: 0
                                          FLOP within 5 % and rates within 10 %, 1 not, 77 no GPU or no PyTorch
    regime_truth.py --case CASE           is the program: prints "step_ns flops" and the time of one product
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

# name: (dtype, m, n, k, products a step, ms of sleep a step, how)
CASES = {
    "bf16": ("bfloat16", 8192, 8192, 8192, 8, 0, "mm"),
    "bf16_linear": ("bfloat16", 8192, 4096, 2048, 24, 0, "linear"),
    "bf16_idle": ("bfloat16", 4096, 4096, 4096, 4, 10, "mm"),
    "fp16_batched": ("float16", 1024, 1024, 128, 24, 0, "bmm"),
    "fp32": ("float32", 4096, 4096, 4096, 4, 0, "mm"),
    "tf32": ("float32", 8192, 8192, 8192, 4, 0, "tf32"),
    "fp64": ("float64", 4096, 4096, 4096, 4, 0, "mm"),
    "thin": ("bfloat16", 1, 16384, 16384, 64, 0, "mm"),
    "elementwise": ("bfloat16", 256, 256, 256, 1, 0, "copies"),
}
BATCH, SECONDS = 64, 6
FLOP_ERROR, RATE_ERROR = 0.05, 0.10
NOTHING_TO_TELL = {"elementwise"}  # one small product: its rate by events is mostly its launch


def program(case):
    import torch

    dtype, m, n, k, count, sleep_ms, how = CASES[case]
    if how == "tf32":
        torch.backends.cuda.matmul.allow_tf32 = True
    batch = (BATCH,) if how == "bmm" else ()
    make = lambda *shape: torch.randn(*shape, device="cuda", dtype=getattr(torch, dtype))
    a, b, bias = make(*batch, m, k), make(*batch, k, n), make(n)
    weight = b.T.contiguous() if how == "linear" else None
    large = make(1 << 28) if how == "copies" else None
    loss = make(64)

    def products():
        for _ in range(count):
            if how == "linear":
                torch.nn.functional.linear(a, weight, bias)
            elif how == "bmm":
                torch.bmm(a, b)
            else:
                torch.mm(a, b)

    def step():
        products()
        if how == "copies":
            for _ in range(8):
                torch.sin(large)
        if sleep_ms:
            time.sleep(sleep_ms / 1e3)
        return loss.sum().item()

    step()
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin, steps = time.monotonic(), 0
    while time.monotonic() - begin < SECONDS:
        step()
        steps += 1
    took = (time.monotonic() - begin) / steps
    times = []
    for _ in range(9):  # between steps and after a short pause: a GPU that has rested for 10 ms ran 16 % faster than in the steps
        for _ in range(20):
            step()
        torch.cuda._sleep(2_000_000)  # cycles, in which all of the products are launched: the events time the GPU alone
        start.record()
        products()
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end))
    flops = 2.0 * m * n * k * count * (BATCH if how == "bmm" else 1)
    rate = flops / statistics.median(times) * 1e3
    print("TRUTH", json.dumps({"step_ns": took * 1e9, "flops": flops, "flops_per_s": rate}))


def measure(syncsniff, case):
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "t.sstrace")
        ran = subprocess.run([syncsniff, "run", "-o", trace, "--", sys.executable, __file__, "--case", case],
                             capture_output=True, text=True)
        line = [l for l in ran.stdout.splitlines() if l.startswith("TRUTH")]
        if not line:
            print(f"{case}: the program failed:\n{ran.stdout[-1500:]}\n{ran.stderr[-1500:]}")
            return False
        truth = json.loads(line[0][6:])
        report = json.loads(subprocess.run([syncsniff, "report", "--format=json", trace], capture_output=True, text=True).stdout)
        text = subprocess.run([syncsniff, "report", trace], capture_output=True, text=True).stdout
    regime = report["gpu"][0]["regime"]
    gemms = regime["gemms"]
    peak = gemms["peak_flops_per_s"] or float("nan")
    running = gemms["of_peak_running"] or float("nan")
    print(f"{case:14} {regime['regime']:22} FLOP a step {gemms['flops_per_step'] / 1e12:8.4f} T, true {truth['flops'] / 1e12:8.4f} T; "
          f"while they run {running * peak / 1e12:7.1f} TFLOP/s, by events {truth['flops_per_s'] / 1e12:7.1f}; peak of {gemms['math']} "
          f"{peak / 1e12:.0f}: {100 * running:.1f} %, bandwidth {100 * (gemms['of_bandwidth_running'] or 0):.1f} %")
    at = text.find("\nGPU 0")
    print("    " + "\n    ".join(text[at + 1:].splitlines()[:6]))
    flop_error = abs(gemms["flops_per_step"] / truth["flops"] - 1)
    rate_error = abs(running * peak / truth["flops_per_s"] - 1)
    return case in NOTHING_TO_TELL or (flop_error <= FLOP_ERROR and rate_error <= RATE_ERROR)


def has_gpu():
    try:
        import torch
    except ImportError:
        return False
    return torch.cuda.is_available()


if sys.argv[1] == "--case":
    program(sys.argv[2])
elif not has_gpu():
    sys.exit(77)
else:
    results = [measure(sys.argv[1], case) for case in sys.argv[2:] or CASES]
    sys.exit(0 if all(results) else 1)
