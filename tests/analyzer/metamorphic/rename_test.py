#!/usr/bin/env python3
"""Renames everything that a program names itself, and compares what `syncsniff check` says of both.

usage: rename_test.py ANALYZER SOURCE...

A name is no evidence: no finding may come or go with one. A severity may change where the finding said that a name
lowered it, by one step upwards, and nowhere else. Names that a header uses, too, are kept: they may be the API's.
"""

import concurrent.futures
import functools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

STEPS = ["info", "low", "medium", "high"]
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# A program that lacks a library's header declares its functions so: their names are the library's, and so are those of
# the types that they name.
FOREIGN = re.compile(r'extern "C"[^;{]*\([^;{]*\)\s*;')
TYPEDEF = re.compile(r"typedef\s+(?:enum|struct|union)\s+(\w+)[^;]*}\s*(\w+)\s*;")
# Comments and literals stay as they are: a format string or a path is no name.
KEPT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#[ \t]*include[^\n]*', re.S | re.M)


def findings(analyzer, source):
    out = subprocess.run([analyzer, "check", "--no-cache", "--format=json", source.name],
                         capture_output=True, text=True, timeout=120, cwd=source.parent)
    if out.returncode not in (0, 1):
        return {}, {f"check exits with {out.returncode}: {out.stderr.strip()[:300]}"}
    document = json.loads(out.stdout)
    units = {u["status"] for u in document["units"]}
    found = {}
    for f in document["findings"]:
        by_name = any("in the name" in step["message"] for step in f.get("evidence", []))
        found[f["location"]["line"], f["rule"]] = (f["severity"], by_name)
    return found, units


def words_of_headers(source, text):
    """Every word that the preprocessed headers and the macros of the compiler hold."""
    # A CUDA compiler's device functions go by the names of the C library's.
    language = "c" if source.suffix == ".c" else "c++"
    own = {line.strip() for line in text.splitlines() if re.match(r"\s*#\s*include", line)}
    return words_included(language, tuple(sorted(own)))


@functools.lru_cache(maxsize=None)  # most programs include the same few headers
def words_included(language, own):
    # A program that lacks a header still names what that would have included of the library.
    library = ["math.h", "stdlib.h"] + (["map", "string"] if language == "c++" else [])
    includes = "\n".join([f"#include <{header}>" for header in library] + list(own))
    words = set()
    for flag in (["-P"], ["-dM"]):
        out = subprocess.run(["g++", "-E", *flag, "-x", language, "-I/usr/local/cuda/include",
                              "-I/usr/local/cuda/include/cccl", "-"] + (["-std=c++20"] if language == "c++" else []),
                             input=includes, capture_output=True, text=True)
        words |= set(WORD.findall(out.stdout))
    return words


def renamed(text, known):
    names = {}

    def rename(match):
        word = match.group()
        if word in known:
            return word
        return names.setdefault(word, f"zq{len(names)}")

    parts, end = [], 0
    for kept in KEPT.finditer(text):
        parts += [WORD.sub(rename, text[end:kept.start()]), kept.group()]
        end = kept.end()
    return "".join(parts) + WORD.sub(rename, text[end:]), len(names)


KEYWORDS = set("""alignas auto bool break case catch char class const constexpr continue decltype default delete do
double dynamic_cast else enum explicit extern false final float for friend goto if inline int long mutable namespace
new noexcept nullptr operator override private protected public register reinterpret_cast return short signed sizeof
static static_assert static_cast struct switch template this thread_local throw true try typedef typename union
unsigned using virtual void volatile while co_await co_return co_yield concept requires main defined ifdef ifndef
define undef endif elif error pragma once include __global__ __device__ __host__ __shared__ __constant__ __restrict__
__managed__ __launch_bounds__ __forceinline__ threadIdx blockIdx blockDim gridDim warpSize x y z __FILE__ __LINE__ __func__ __COUNTER__ __CUDA_ARCH__ __CUDACC__ NDEBUG omp parallel""".split())


def foreign_names(text):
    words = {word for declaration in FOREIGN.findall(text) for word in WORD.findall(declaration)}
    return words | {tag for tag, name in TYPEDEF.findall(text) if name in words}


def compare(analyzer, source, folder):
    text = source.read_text()
    if "##" in text:  # a name that a macro puts together has no text to replace
        return [], 0
    changed, count = renamed(text, words_of_headers(source, text) | KEYWORDS | foreign_names(text))
    # In folders of their own: a database found upward would bring other units in.
    one, other = folder / "before" / source.name, folder / "after" / source.name
    one.write_text(text)
    other.write_text(changed)
    before, units = findings(analyzer, one)
    after, units_after = findings(analyzer, other)
    if units != units_after:  # a builtin's name was replaced: the program is another one
        return [], 0
    faults = []
    for place in sorted(set(before) | set(after)):
        severity, by_name = before.get(place, (None, False))
        now, _ = after.get(place, (None, False))
        higher = by_name and now and STEPS.index(now) == STEPS.index(severity) + 1
        if severity != now and not higher:
            faults.append(f"{source.name}:{place[0]}: {place[1]}: {severity} becomes {now} when names are replaced")
    return faults, count


def main():
    analyzer, sources = str(pathlib.Path(sys.argv[1]).resolve()), [pathlib.Path(s) for s in sys.argv[2:]]
    faults, names = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for name in ("before", "after"):
            (pathlib.Path(folder) / name).mkdir()
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for more, count in pool.map(lambda s: compare(analyzer, s.resolve(), pathlib.Path(folder)), sources):
                faults += more
                names += count
    print("\n".join(faults))
    print(f"{len(sources)} programs, {names} names replaced, {len(faults)} faults")
    sys.exit(1 if faults or names < 10 * len(sources) else 0)


main()
