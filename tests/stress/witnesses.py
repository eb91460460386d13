"""Two units that are never damaged and what `check` says of them: whatever stands beside them, that must not change.

Their names are their own, so that no call of a damaged unit reaches them, and they wait for a stream that they are given:
what a wait for the whole device covers depends on the streams of the whole program.
"""
import json
import os
import pathlib

from runner import run

SOURCES = {
    "untouched_step.cu": """#include <cuda_runtime.h>
__global__ void untouched_scale(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}
void untouched_step(float* device, int n, cudaStream_t stream) {
  untouched_scale<<<(n + 255) / 256, 256, 0, stream>>>(device, n);
  cudaStreamSynchronize(stream);
}
""",
    "untouched_train.cu": """#include <cuda_runtime.h>
void untouched_step(float* device, int n, cudaStream_t stream);
void untouched_train(float* device, cudaStream_t stream) {
  for (int i = 0; i < 1000; ++i) untouched_step(device, 1024, stream);
}
""",
}


def entry(where, unit):
    compiler = "nvcc" if unit.endswith(".cu") else "gcc" if unit.endswith(".c") else "g++"
    return {"directory": where, "file": unit, "arguments": [compiler, "-I.", "-c", unit, "-o", unit + ".o"]}


def write(where):
    for name, text in SOURCES.items():
        pathlib.Path(where, name).write_text(text)


def entries(where):
    return [entry(where, name) for name in SOURCES]


def check(options, where, database, units):
    """The command that checks the untouched units and these, in a database of its own."""
    write(where)
    os.makedirs(database, exist_ok=True)
    listed = entries(where)[:1] + [entry(where, unit) for unit in units] + entries(where)[1:]
    pathlib.Path(database, "compile_commands.json").write_text(json.dumps(listed))
    return [options.syncsniff, "check", "-p", database, "--format=json", "--no-cache", f"--jobs={options.jobs}"]


def of_untouched(document, where):
    """Findings and statuses of the untouched units, as text that two folders can be compared by."""
    findings = [finding for finding in document["findings"]
                if os.path.basename(finding["location"]["file"]) in SOURCES]
    units = [unit for unit in document["units"] if os.path.basename(unit["file"]) in SOURCES]
    text = [json.dumps(item, sort_keys=True).replace(where + "/", "") for item in findings + units]
    return sorted(text)


class Expected:
    """What they get alone, found once."""
    known = None

    @classmethod
    def of(cls, options):
        if cls.known is None:
            raise RuntimeError("witnesses.prepare() was not called")
        return cls.known


def prepare(options, folder):
    where = os.path.join(folder, "untouched")
    os.makedirs(where)
    command = check(options, where, where, [])
    result = run(command, options.source_seconds, options.source_megabytes, cwd=where)
    if result.faults or result.status != 1:
        raise SystemExit(f"{' '.join(command)}: {result.faults or 'no finding in the untouched units'}\n{result.err}")
    Expected.known = of_untouched(json.loads(result.out), where)


def judge(options, where, result):
    """Faults that the output shows: no document although units were to be read, or other findings in the untouched ones."""
    try:
        document = json.loads(result.out)
        found = of_untouched(document, where)
    except (ValueError, KeyError, TypeError):
        return ["wrong findings"]
    return [] if found == Expected.of(options) else ["wrong findings"]
