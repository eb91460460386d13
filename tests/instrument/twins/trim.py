#!/usr/bin/env python3
"""Cuts the text of `syncsniff dump` to its first part, so that a real trace can stay as a test: trim.py SECONDS < dump

SECONDS are from the file's start. Events that begin later go; counts and bursts that reach beyond are scaled,
bursts by time and counts by the number of calls before and after. Stacks, code objects, symbols and modules that
nothing names any more go too.
"""
import bisect
import re
import sys


def fields(line):
    return dict(re.findall(r'(\w+)=("(?:[^"\\]|\\.)*"|\S+)', line))


def replaced(line, name, value):
    return re.sub(rf"\b{name}=\d+", f"{name}={value}", line)


def scaled(line, names, share):
    for name in names:
        if f" {name}=" in line:
            line = replaced(line, name, max(1, round(int(fields(line)[name]) * share)))
    return line


def cut(lines, until):
    calls = sorted(int(fields(line)["begin"]) for line in lines if line.startswith("call "))
    def number(begin, end):
        return max(1, bisect.bisect_right(calls, end) - bisect.bisect_left(calls, begin))

    for line in lines:
        kind, f = line.split(" ", 1)[0], fields(line)
        if kind in ("call", "burst", "idle", "range", "allocation") and int(f.get("begin", f.get("time", 0))) > until:
            continue
        if kind == "count":
            first, last = int(f["first"]), int(f["last"])
            if first > until:
                continue
            if last > until:
                line = replaced(scaled(line, ("count", "total", "bytes"), number(first, until) / number(first, last)), "last", until)
        elif kind == "burst" and int(f["end"]) > until:
            names = ("launches", "copies", "others", "in_calls")
            share = (until - int(f["begin"])) / (int(f["end"]) - int(f["begin"]))
            line = replaced(scaled(line, names, share), "end", until)
        elif kind == "idle" and int(f["end"]) > until:
            line = replaced(line, "end", until)
        elif kind == "trace":
            line = replaced(line, "end", until)
        yield line


def named(lines):
    used, codes, addresses = set(), set(), set()
    for line in lines:
        if not line.startswith("stack "):
            used.update(re.findall(r"\b(?:\w*_)?stack=(\d+)", line))
    for line in lines:
        if line.startswith("stack ") and fields(line)["id"] in used:
            codes.update(re.findall(r"(\d+):", fields(line).get("python", "")))
            addresses.update(a for a in fields(line).get("native", "").split(",") if a)
    numbers = [int(a, 16) for a in addresses]
    for line in lines:
        f = fields(line)
        gone = ((line.startswith("stack ") and f["id"] not in used)
                or (line.startswith("code ") and codes and f["id"] not in codes)
                or (line.startswith("symbol ") and f["address"] not in addresses)
                or (line.startswith("module ")
                    and not any(int(f["begin"], 16) <= a < int(f["end"], 16) for a in numbers)))
        if not gone:
            yield line


def main():
    lines = sys.stdin.read().splitlines()
    start = next(int(fields(line)["start"]) for line in lines if line.startswith("trace "))
    print("\n".join(named(list(cut(lines, start + int(float(sys.argv[1]) * 1e9))))))


if __name__ == "__main__":
    main()
