"""Compile databases: damaged text, wrong types, and entries that no build system should write beside two good ones."""
import json
import os
import pathlib

import damage
import witnesses
from runner import run

VALUES = [None, True, 0, -1, 1e308, "", "x", [], {}, [[]], "\0", "\ud800", [None], "a" * 1_000_000, -2 ** 63]
OPTIONS = ["@self.rsp", "@nowhere", "--options-file", "-I", "-isystem", "-include", "nowhere.h", "-x", "cobol", "cuda", "-std=c++99",
           "-std=c++17", "-DA=(", "-D", "-U", "--help", "-v", "--version", "-", "--", "-c", "-E", "-M", "-MF", "out.d", "-o",
           "-o/dev/full", "-G", "-arch=sm_00", "-gencode", "arch=compute_90,code=[sm_90,", "-Xcompiler", "-Xcompiler=-Wall,-O9",
           "-Xclang", "-load", "/dev/null", "-fplugin=/dev/null", "-target", "pdp11", "-ccbin", "/", "--sysroot=/nowhere",
           "-isysroot", "-B/", "-include/dev/null", "-I/dev/fd/0", "-j", "$(id)", "`id`", "'", "\"", "\\", "\n", "\u202e",
           "-ftemplate-depth=999999999", "-fconstexpr-steps=4294967295", "-fbracket-depth=100000000", "-m16", "-Werror", "-w",
           "-include", "untouched_step.cu", "-fsyntax-only", "-emit-llvm", "-S", "-cc1", "-mllvm", "-mllvm=-help",
           "-resource-dir", "-nostdinc", "-nostdinc++", "-fmodules", "-xc++", "-xnone", "-dc", "-rdc=true", "--cuda-path=/nowhere"]


def wrong_type(rng, document):
    """A value of another type, or none, somewhere in the document."""
    holder, key = document, rng.randrange(len(document))
    while isinstance(holder[key], (dict, list)) and holder[key] and rng.random() < 0.8:
        holder = holder[key]
        key = rng.choice(sorted(holder)) if isinstance(holder, dict) else rng.randrange(len(holder))
    if rng.random() < 0.3:
        del holder[key]
    else:
        holder[key] = rng.choice(VALUES)
    return json.dumps(document).encode()


def whole(rng, listed):
    """(name, bytes): the database's own text is not what it should be."""
    data = json.dumps(listed, indent=1).encode()
    how = rng.randrange(8)
    if how < 3:
        mutator = rng.choice(damage.ANY + [damage.of_lines] * 3)
        return mutator.__name__, mutator(rng, data)
    if how < 6:
        return "wrong-type", wrong_type(rng, json.loads(data))
    if how == 6:
        depth = rng.choice([100, 10000, 1000000])
        return f"depth-{depth}", rng.choice([b"[" * depth, b"[" * depth + b"]" * depth, b'{"a":' * depth])
    return "encoding", rng.choice([b"\xef\xbb\xbf" + data, data.decode().encode("utf-16"), b"null", b"{}", b"[]", b"[[]]", b" " * 10_000_000])


def odd_entry(rng, where):
    """(name, entries): well-formed, and no compiler would take them."""
    entry = witnesses.entry(where, "odd.cu")
    how = rng.randrange(9)
    if how < 4:
        extra = [rng.choice(OPTIONS) for _ in range(rng.choice([1, 2, 5, 30]))]
        at = rng.randrange(len(entry["arguments"]) + 1)
        entry["arguments"][at:at] = extra
        if rng.random() < 0.3:
            entry["command"] = " ".join(entry.pop("arguments"))
        return "options", [entry]
    if how == 4:
        return "duplicates", [dict(entry) for _ in range(rng.choice([2, 50, 500]))]
    if how == 5:
        size = rng.choice([10_000, 2_000_000])
        key = rng.choice(["file", "directory", "arguments"])
        entry[key] = ["nvcc"] + ["-DA"] * size if key == "arguments" else "/a" * size
        return f"huge-{key}", [entry]
    if how == 6:
        entry["file"] = rng.choice(["nowhere.cu", ".", "/", "", "folder.cu", "/dev/null", "/dev/zero", "/proc/self/mem", "odd.cu/x",
                                    "fifo.cu", "link.cu", "unreadable.cu", "../" * 500 + "x.cu", "new\n::error::line.cu"])
        return "file", [entry]
    if how == 7:
        entry["directory"] = rng.choice(["/nowhere", "", "relative", "/dev/null", where + "/odd.cu", where + "/folder.cu/../.", "/proc/1"])
        return "directory", [entry]
    entry["arguments"] = rng.choice([[], [""], ["nvcc"], ["/nowhere/nvcc", "odd.cu"], ["ccache"], ["sh", "-c", "odd.cu"],
                                     ["nvcc", "-c", "other.cu"], ["nvcc", "-c", "odd.cu", "odd.cu"], ["nvcc", "@self.rsp"],
                                     ["nvcc", "@fifo.cu", "odd.cu"], ["nvcc", "-include", "fifo.cu", "odd.cu"],
                                     ["nvcc", "--options-file=fifo.cu", "odd.cu"]])
    return "arguments", [entry]


class Databases:
    def __init__(self, options, tally):
        self.options, self.tally = options, tally

    def jobs(self, rng, count, folder):
        for number in range(count):
            where = os.path.join(folder, f"d{number:05}")
            os.makedirs(os.path.join(where, "folder.cu"))
            witnesses.write(where)
            pathlib.Path(where, "odd.cu").write_text("void odd() {}\n")
            pathlib.Path(where, "self.rsp").write_text("@self.rsp -DB @self.rsp")
            os.mkfifo(os.path.join(where, "fifo.cu"))
            os.symlink("link.cu", os.path.join(where, "link.cu"))
            listed = witnesses.entries(where)
            untouched = rng.random() < 0.5
            if untouched:
                name, added = odd_entry(rng, where)
                at = rng.randrange(len(listed) + 1)
                data = json.dumps(listed[:at] + added + listed[at:]).encode()
            else:
                name, data = whole(rng, listed)
            pathlib.Path(where, "compile_commands.json").write_bytes(data)
            yield lambda where=where, name=name, untouched=untouched: self.read(where, name, untouched)

    def read(self, where, name, untouched):
        command = [self.options.syncsniff, "check", "-p", where, "--format=json", "--no-cache", "--jobs=1"]
        result = run(command, self.options.seconds, self.options.megabytes, cwd=where)
        if untouched and not result.faults:
            result = result._replace(faults=witnesses.judge(self.options, where, result))
        self.tally.note(result)
        if result.faults:
            self.tally.save(f"{os.path.basename(where)}-{name}", [where], command, result)
