#!/usr/bin/env python3
"""Does clang-tidy 19 find nothing in the C++ sources? Prints what it finds; .clang-tidy says what it looks for.

usage: tidy.py ROOT BUILD [PATH...]    these sources, and those below these folders of ROOT, that BUILD/compile_commands.json
                                       compiles; default: all but analyzer/facts and analyzer/*.cpp
       tidy.py --self-check            proves on a made-up source that a fault is found
Exit: 0 nothing found, 1 something, 2 no source is there, 77 clang-tidy 19 or the compile database is missing.
"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import clang_tool

TOOL = "clang-tidy-19"  # another version has other checks
TOGETHER = 40  # sources in a group
# analyzer/facts and analyzer/*.cpp are left out: Clang's own headers take minutes a group.
DEFAULT = ["cli", "instrument", "manual", "rules", "runtime",
           *(f"analyzer/{folder}" for folder in ("changes", "checks", "fixes", "frequency", "frontend", "isolation", "output", "program"))]
FAULT = re.compile(r": (?:error|warning): ")
INCLUDED = re.compile(r'^#include "(.+)"$', re.MULTILINE)


def compiled(entry):
    """The sources that a command compiles: several in a unity build, whose units include them."""
    file = (pathlib.Path(entry["directory"]) / entry["file"]).resolve()
    if file.parent.name == "Unity" and file.name.startswith("unity_"):
        return INCLUDED.findall(file.read_text())
    return [str(file)]


def sources(root, build, paths):
    """{source: its compile command as words}, of those that are one of the paths, or below one."""
    root = pathlib.Path(root).resolve()
    named = {str(root / path) for path in paths}
    below = tuple(path + os.sep for path in named)
    commands = {}
    for entry in json.loads((pathlib.Path(build) / "compile_commands.json").read_text()):
        words = entry.get("arguments") or shlex.split(entry["command"])
        for file in compiled(entry):
            if file.endswith(".cpp") and (file in named or file.startswith(below)):
                commands.setdefault(file, words)
    return dict(sorted(commands.items()))


def options_of(words):
    """What decides how a source is read: include folders, macros, the language."""
    kept, after = [], False
    for word in words:
        if after or word.startswith(("-I", "-D", "-std=", "-f", "-isystem")):
            kept.append(word)
        after = word in ("-I", "-D", "-isystem")
    return tuple(kept)


def groups_of(commands):
    """Sources that are read alike, TOGETHER at a time: [(options, files)]. Of the programs' main functions each is alone."""
    alike = {}
    for file, words in commands.items():
        alone = file if file.endswith("main.cpp") else ""
        alike.setdefault((alone, options_of(words)), []).append(file)
    return [(options, files[i:i + TOGETHER]) for (_, options), files in alike.items() for i in range(0, len(files), TOGETHER)]


def tidy(root, options, files):
    """What the tool says of the sources, read as one unit: its faults, or all that it says where it fails without naming one."""
    with tempfile.TemporaryDirectory() as folder:
        unit = files[0]
        if len(files) > 1:
            unit = os.path.join(folder, "together.cpp")
            pathlib.Path(unit).write_text("".join(f'#include "{file}"  // NOLINT\n' for file in files))
        ran = subprocess.run([TOOL, f"--config-file={root}/.clang-tidy", "--quiet", unit, "--", *options],
                             capture_output=True, text=True, check=False)
    if ran.returncode == 0 and not FAULT.search(ran.stdout):
        return ""
    return ran.stdout if FAULT.search(ran.stdout) else f"{' '.join(files)}: {ran.stdout}{ran.stderr}"


def faults_of_group(root, options, files):
    """Most of the time goes into headers of the library, which a group reads once. Sources that do not go together (two have
    a function of the same name) are read in halves; only what the tool says of one source alone is a fault."""
    said = tidy(root, options, files)
    if not said or len(files) == 1:
        return [said] if said else []
    half = len(files) // 2
    return faults_of_group(root, options, files[:half]) + faults_of_group(root, options, files[half:])


def faults(root, commands):
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda group: faults_of_group(root, *group), groups_of(commands))
        return [said for of_group in found for said in of_group]


def self_check():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / ".clang-tidy").write_text("Checks: '-*,modernize-use-nullptr'\nWarningsAsErrors: '*'\nHeaderFilterRegex: '/rules/'\n")
        (root / "rules").mkdir()
        texts = {"good.cpp": "int* one() { return nullptr; }\n", "bad.cpp": "int* two() { return 0; }\n"}
        for name, text in texts.items():
            (root / "rules" / name).write_text(text)
        (root / "compile_commands.json").write_text(json.dumps(
            [{"directory": folder, "file": f"rules/{name}", "arguments": ["c++", "-c", f"rules/{name}"]} for name in texts]))
        commands = sources(folder, folder, ["rules"])
        assert len(commands) == 2 and len(groups_of(commands)) == 1, commands
        found = faults(folder, commands)
        assert len(found) == 1 and "bad.cpp:1:" in found[0], found
        assert sources(folder, folder, ["cli"]) == {} and check([folder, folder, "cli"]) == 2
        assert len(sources(folder, folder, ["rules/bad.cpp"])) == 1 and check([folder, folder, "rules/bad.cpp"]) == 1

        (root / "Unity").mkdir()
        (root / "Unity" / "unity_0_cxx.cxx").write_text("".join(f'#include "{root / "rules" / name}"\n' for name in texts))
        (root / "compile_commands.json").write_text(json.dumps(
            [{"directory": folder, "file": "Unity/unity_0_cxx.cxx", "arguments": ["c++", "-c", "Unity/unity_0_cxx.cxx"]}]))
        assert list(sources(folder, folder, ["rules"])) == list(commands), sources(folder, folder, ["rules"])


def check(arguments):
    root, build, *paths = arguments
    if not (pathlib.Path(build) / "compile_commands.json").is_file():
        print(f"tidy: {build} has no compile_commands.json; configure it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
              file=sys.stderr)
        return clang_tool.SKIPPED
    files = sources(root, build, paths or DEFAULT)
    if not files:
        print(f"tidy: {build}/compile_commands.json compiles no source at or below {' '.join(paths or DEFAULT)}", file=sys.stderr)
        return 2
    found = faults(pathlib.Path(root).resolve(), files)
    print("\n".join(found) + f"\n{len(found)} of {len(files)} sources have faults" if found else f"{len(files)} sources: no fault")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(clang_tool.run(TOOL, __doc__, self_check, check))
