#!/usr/bin/env python3
"""Reads every #include line of the project and enforces the arrows of docs/architecture.md: who may include whom.
No header may include itself, directly or through others: what it declares takes what they declare, and not the reverse.

usage: include_arrows.py ROOT          exit 1 with one line an offence
       include_arrows.py --self-check  proves on made-up trees that each arrow can be broken
"""
import pathlib
import re
import sys
import tempfile

# Folder -> the project folders and files it may include besides its own. The longest matching folder counts.
ALLOWED = {
    "rules": [],
    "manual": [],
    "analyzer": ["rules", "manual"],
    "instrument": ["rules", "manual", "runtime/trace/format.h", "runtime/trace/board.h", "runtime/trace/cupti_places.h"],
    "runtime/shim": ["runtime/trace"],
    "runtime/shim/generator": ["rules"],  # a program of the build: writes wrappers from rules/apis, runs in no user's process
    "runtime/trace": [],
    "runtime/kernels": [],
    "runtime/kernels/python": ["runtime/kernels"],  # PyTorch's extension
    "runtime/kernels/include/syncsniff/torch_tensors.cuh": ["runtime/kernels"],  # the one header that needs LibTorch
    "cli": ["rules", "manual"],
    "samples": ["runtime/kernels"],
}
# What may be included from outside the project, by folder; a regular expression over the name in <> or "".
FORBIDDEN_OUTSIDE = {
    "rules": r"^(clang|llvm)/|^cu(da|pti|blas)",
    "manual": r"^(clang|llvm|yaml-cpp|CLI)/|^cu(da|pti|blas)",
    "cli": r"^(clang|llvm)/|^cu(da|pti|blas)",
    "instrument": r"^(clang|llvm)/|^cupti",
    "runtime/shim": r"^(clang|llvm|yaml-cpp|nlohmann|CLI)/",
    "runtime/shim/generator": r"^(clang|llvm)/|^cu(da|pti|blas)",
    "runtime/trace": r"^(clang|llvm|yaml-cpp|nlohmann|CLI)/|^cu(da|pti|blas)",
    "runtime/kernels": r"^(clang|llvm|yaml-cpp|nlohmann|CLI|torch|ATen|c10)/|^cupti",
    "analyzer": r"^cupti",
}
SUFFIXES = {".h", ".hpp", ".cuh", ".c", ".cpp", ".cu", ".inc"}
HEADERS = {".h", ".hpp", ".cuh"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')
KERNEL_PREFIX = "runtime/kernels/include/"
TOPS = ["rules", "manual", "analyzer", "runtime", "instrument", "cli", "samples", "tests"]


def folder_of(path):
    """The key of ALLOWED that `path` belongs to, or None."""
    matches = [folder for folder in ALLOWED if path == folder or path.startswith(folder + "/")]
    return max(matches, key=len) if matches else None


def resolve(root, includer, name):
    """Project path that an include names, or None when it is from outside."""
    for candidate in (root / includer.parent / name, root / name, root / KERNEL_PREFIX / name):
        if candidate.is_file():
            return candidate.resolve().relative_to(root.resolve()).as_posix()
    return name if name.split("/")[0] in TOPS else None  # generated, or missing: its path tells whose it is


def offence(root, includer, name):
    source = folder_of(includer.as_posix())
    if source is None:
        return None
    target = resolve(root, includer, name)
    if target is None:
        pattern = FORBIDDEN_OUTSIDE.get(source)
        return f"{source} must not use it" if pattern and re.search(pattern, name) else None
    if folder_of(target) == source:
        return None
    if any(target == allowed or target.startswith(allowed + "/") for allowed in ALLOWED[source]):
        return None
    return f"{source} may include {', '.join(ALLOWED[source]) or 'nothing of the project'} and itself"


def cycles(includes):
    """`includes`: header -> the headers of the project that it includes. One line for each cycle."""
    found, done = [], set()

    def visit(header, path):
        if header in path:
            found.append(" includes ".join(path[path.index(header):] + [header]))
        elif header not in done:
            for other in sorted(includes.get(header, ())):
                visit(other, path + [header])
            done.add(header)

    for header in sorted(includes):
        visit(header, [])
    return found


def offences(root):
    found = []
    includes = {}
    for top in TOPS:
        for path in sorted((root / top).rglob("*")):
            # Headers for Clang in place of others' are no part of our code.
            if path.suffix not in SUFFIXES or not path.is_file() or "clang-headers" in path.parts:
                continue
            relative = path.relative_to(root)
            for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
                match = INCLUDE.match(line)
                why = match and offence(root, relative, match.group(2))
                if why:
                    found.append(f"{relative}:{number}: includes {match.group(2)}: {why}")
                target = match and resolve(root, relative, match.group(2))
                if target and path.suffix in HEADERS:
                    includes.setdefault(relative.as_posix(), set()).add(target)
    return found + cycles(includes)


# (file, its include, another file that exists, offence expected?)
CASES = [
    ("analyzer/a.cpp", '"rules/rule.h"', "rules/rule.h", False),
    ("manual/m.cpp", '"rules/rule.h"', "rules/rule.h", True),
    ("cli/m.cpp", '"manual/command_page.h"', "manual/command_page.h", False),
    ("rules/r.cpp", '"manual/command_page.h"', "manual/command_page.h", True),
    ("analyzer/a.cpp", '"instrument/reader/trace.h"', "instrument/reader/trace.h", True),
    ("analyzer/a.cpp", '"../instrument/trace.h"', "instrument/trace.h", True),
    ("analyzer/a.cpp", '"clang/AST/AST.h"', None, False),
    ("instrument/report/r.cpp", '"analyzer/facts/facts.h"', "analyzer/facts/facts.h", True),
    ("instrument/report/r.cpp", '"runtime/trace/format.h"', "runtime/trace/format.h", False),
    ("instrument/report/r.cpp", '"runtime/trace/board.h"', "runtime/trace/board.h", False),
    ("instrument/report/r.cpp", '"runtime/trace/trace_file.h"', "runtime/trace/trace_file.h", True),
    ("instrument/report/r.cpp", '"runtime/shim/shim.h"', None, True),
    ("instrument/report/r.cpp", "<llvm/Support/Error.h>", None, True),
    ("runtime/shim/s.cpp", '"runtime/trace/format.h"', "runtime/trace/format.h", False),
    ("runtime/shim/s.cpp", '"rules/rule.h"', "rules/rule.h", True),
    ("runtime/shim/s.cpp", "<yaml-cpp/yaml.h>", None, True),
    ("runtime/shim/s.cpp", '"runtime/shim/generator/g.h"', "runtime/shim/generator/g.h", True),
    ("runtime/shim/generator/g.cpp", "<yaml-cpp/yaml.h>", None, False),
    ("runtime/trace/t.cpp", '"runtime/shim/shim.h"', "runtime/shim/shim.h", True),
    ("runtime/kernels/include/syncsniff/k.cuh", '"syncsniff/detail/d.h"', "runtime/kernels/include/syncsniff/detail/d.h", False),
    ("runtime/kernels/include/syncsniff/k.cuh", '"rules/rule.h"', "rules/rule.h", True),
    ("runtime/kernels/include/syncsniff/k.cuh", "<cuda_runtime.h>", None, False),
    ("cli/main.cpp", '"rules/rule.h"', "rules/rule.h", False),
    ("cli/main.cpp", '"analyzer/analysis.h"', "analyzer/analysis.h", True),
    ("rules/r.cpp", '"analyzer/analysis.h"', "analyzer/analysis.h", True),
    ("rules/r.cpp", '"tests/helpers.h"', "tests/helpers.h", True),
    ("samples/s/a.cu", "<syncsniff/multi_tensor.cuh>", "runtime/kernels/include/syncsniff/multi_tensor.cuh", False),
    ("samples/s/a.cu", '"runtime/shim/shim.h"', "runtime/shim/shim.h", True),
    ("tests/rules/t.cpp", '"rules/rule.h"', "rules/rule.h", False),
    ("rules/r.h", '"rules/r.h"', None, True),
    ("rules/r.h", '"rules/s.h"', "rules/s.h", False),
]


def self_check():
    wrong = 0
    for source, include, other, expected in CASES:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in ((other, ""), (source, f"#pragma once\n#include {include}\n")):
                if name:
                    (root / name).parent.mkdir(parents=True, exist_ok=True)
                    (root / name).write_text(text)
            if bool(offences(root)) != expected:
                wrong += 1
                print(f"self-check: {source} including {include}: {'not ' if expected else ''}reported")
    print(f"self-check: {len(CASES)} cases, {wrong} wrong")
    return 1 if wrong else 0


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--self-check":
        return self_check()
    root = pathlib.Path(sys.argv[1])
    found = offences(root)
    print("\n".join(found) if found else "every include follows the arrows")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
