#!/usr/bin/env python3
"""Is every C++ source formatted as clang-format 19 does it? Prints the files that are not, and the command that formats them.

usage: format.py ROOT [--fix]      --fix: formats them
       format.py --self-check      proves on a made-up tree that a badly formatted file is found
Exit: 0 all are, 1 some are not, 77 clang-format 19 is missing.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

import clang_tool

TOOL = "clang-format-19"  # another version breaks lines elsewhere
ENDINGS = {".cpp", ".h", ".cu", ".cuh", ".c"}
# Declarations of other people's libraries, one a line, and inputs whose lines tests count.
LEFT_ALONE = ("analyzer/frontend/clang-headers/", "tests/analyzer/checks/", "tests/analyzer/torch-stub/",
              "tests/analyzer/output/inputs/")


def names_in(root):
    listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard", "-z"],
                            capture_output=True, text=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        return listed.stdout.split("\0")
    found = []  # a source tree without .git
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith((".", "build"))]
        found += [str((pathlib.Path(folder) / name).relative_to(root)) for name in files]
    return found


def sources(root):
    return sorted(name for name in names_in(root)
                  if pathlib.Path(name).suffix in ENDINGS and not name.startswith(LEFT_ALONE)
                  and (pathlib.Path(root) / name).is_file())


def unformatted(root):
    """The names, relative to root, of the files that clang-format would change."""
    files = sources(root)
    ran = subprocess.run([TOOL, "--dry-run", "--Werror", *files], cwd=root, capture_output=True, text=True, check=False)
    if ran.returncode == 0:
        return []
    wrong = sorted({line.split(":", 1)[0] for line in ran.stderr.splitlines() if ": error: " in line})
    return wrong or [ran.stderr.strip()]


def self_check():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / ".clang-format").write_text("BasedOnStyle: Google\n")
        (root / "good.cpp").write_text("int one() { return 1; }\n")
        (root / "bad.h").write_text("int  two( ) {return 2;}\n")
        (root / "tests/analyzer/checks").mkdir(parents=True)
        (root / "tests/analyzer/checks/input.cu").write_text("int  three( ) {return 3;}\n")
        found = unformatted(folder)
        assert found == ["bad.h"], found
        (root / "bad.h").write_text("int two() { return 2; }\n")
        assert unformatted(folder) == []


def check(arguments):
    root = arguments[0]
    wrong = unformatted(root)
    if wrong and arguments[1:] == ["--fix"]:
        return subprocess.run([TOOL, "-i", *wrong], cwd=root, check=False).returncode
    for name in wrong:
        print(f"{name}: not formatted")
    if wrong:
        print(f"{len(wrong)} files; this formats them: python3 tests/e2e/format.py . --fix")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(clang_tool.run(TOOL, __doc__, self_check, check))
