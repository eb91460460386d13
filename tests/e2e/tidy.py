#!/usr/bin/env python3
"""Does clang-tidy 19 find nothing in the C++ sources? Prints what it finds; .clang-tidy says what it looks for.

usage: tidy.py ROOT BUILD [FOLDER...]  the sources below these folders of ROOT that BUILD/compile_commands.json compiles;
                                       default: the run side, which takes two cores 2 minutes (analyzer: 20 more)
       tidy.py --self-check            proves on a made-up source that a fault is found
Exit: 0 nothing found, 1 something, 77 clang-tidy 19 or the compile database is missing.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import clang_tool

TOOL = "clang-tidy-19"  # another version has other checks
RUN_SIDE = ["cli", "instrument", "manual", "rules", "runtime"]
FAULT = re.compile(r": (?:error|warning): ")


def sources(root, build, folders):
    root = pathlib.Path(root).resolve()
    below = [str(root / folder) + os.sep for folder in folders]
    commands = json.loads((pathlib.Path(build) / "compile_commands.json").read_text())
    files = {str((pathlib.Path(command["directory"]) / command["file"]).resolve()) for command in commands}
    return sorted(file for file in files if file.endswith(".cpp") and file.startswith(tuple(below)))


def tidy(build, file):
    """What the tool says of one source: its faults, or all that it says where it fails without naming one."""
    ran = subprocess.run([TOOL, "-p", build, "--quiet", file], capture_output=True, text=True, check=False)
    if ran.returncode == 0 and not FAULT.search(ran.stdout):
        return ""
    return ran.stdout if FAULT.search(ran.stdout) else f"{file}: {ran.stdout}{ran.stderr}"


def faults(build, files):
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return [said for said in pool.map(lambda file: tidy(build, file), files) if said]


def self_check():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / ".clang-tidy").write_text("Checks: '-*,modernize-use-nullptr'\nWarningsAsErrors: '*'\n")
        (root / "rules").mkdir()
        texts = {"good.cpp": "int* one() { return nullptr; }\n", "bad.cpp": "int* two() { return 0; }\n"}
        for name, text in texts.items():
            (root / "rules" / name).write_text(text)
        (root / "compile_commands.json").write_text(json.dumps(
            [{"directory": folder, "file": f"rules/{name}", "arguments": ["c++", "-c", f"rules/{name}"]} for name in texts]))
        files = sources(folder, folder, ["rules"])
        assert len(files) == 2, files
        found = faults(folder, files)
        assert len(found) == 1 and "bad.cpp:1:" in found[0], found
        assert sources(folder, folder, ["cli"]) == []


def check(arguments):
    root, build, *folders = arguments
    if not (pathlib.Path(build) / "compile_commands.json").is_file():
        print(f"tidy: {build} has no compile_commands.json; configure it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
              file=sys.stderr)
        return clang_tool.SKIPPED
    files = sources(root, build, folders or RUN_SIDE)
    found = faults(build, files)
    print("\n".join(found) + f"\n{len(found)} of {len(files)} sources have faults" if found else f"{len(files)} sources: no fault")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(clang_tool.run(TOOL, __doc__, self_check, check))
