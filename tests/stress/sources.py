"""Sources: one unit that is damaged must cost no other unit its findings, whatever Clang or the analyzer does in it."""
import json
import os
import pathlib
import re

import damage
import shapes
import witnesses
from runner import run

ROOT = pathlib.Path(__file__).resolve().parents[2]
SUFFIXES = (".cu", ".cpp", ".cc", ".cxx", ".c")
TOKEN = re.compile(rb"\w+|\s+|<<<|>>>|::|->|[-+*/=<>&|]=|\S")
BATCH = 20


def tokens(rng, data):
    parts = TOKEN.findall(data)
    for _ in range(rng.choice([1, 1, 3, 20])):
        if not parts:
            break
        at, other = rng.randrange(len(parts)), rng.randrange(len(parts))
        how = rng.randrange(4)
        if how == 0:
            del parts[at]
        elif how == 1:
            parts.insert(other, parts[at])
        elif how == 2:
            parts[at], parts[other] = parts[other], parts[at]
        else:
            parts[at] = parts[other]
    return b"".join(parts)


def without_includes(rng, data):
    lines = data.splitlines(keepends=True)
    chosen = [i for i, line in enumerate(lines) if line.lstrip().startswith(b"#") and b"include" in line]
    if not chosen:
        return tokens(rng, data)
    gone = set(chosen if rng.random() < 0.5 else [rng.choice(chosen)])
    return b"".join(line for i, line in enumerate(lines) if i not in gone)


def incomplete_class(rng, data):
    """A class that is declared and never defined, as where a header is missing; or one with an unknown base or member."""
    found = list(re.finditer(rb"\b(struct|class)\s+(\w+)[^;{}()]*\{", data))
    if not found:
        return without_includes(rng, data)
    match = rng.choice(found)
    at, depth = match.end(), 1
    while at < len(data) and depth:
        depth += {b"{": 1, b"}": -1}.get(data[at:at + 1], 0)
        at += 1
    how = rng.randrange(3)
    if how == 0:
        return data[:match.start()] + match[1] + b" " + match[2] + data[at:]
    if how == 1:
        return data[:match.end()] + b" Missing<int> missing_; struct Later* later; Later whole;" + data[match.end():]
    return data[:match.start()] + match[1] + b" " + match[2] + b" : Missing::Base<void> {" + data[match.end():]


def unicode_junk(rng, data):
    junk = ["\u202e", "\ufeff", "\u00e9", "\U0001f4a5", "\u2028", "\u037e", "\ud800"]
    for _ in range(rng.choice([1, 5, 50])):
        at = rng.randrange(len(data) + 1)
        data = data[:at] + rng.choice(junk).encode("utf-8", "surrogatepass") + data[at:]
    return data


def other_line_ends(rng, data):
    return data.replace(b"\n", rng.choice([b"\r\n", b"\r", b"\n\r", b"\\\n", b"\0\n"]))


def deeper(rng, data):
    """A word of a real program, wrapped or repeated to a depth."""
    words = list(re.finditer(rb"\b[a-z_]\w*\b", data))
    if not words:
        return data
    word, depth = rng.choice(words), rng.choice([10, 300, 20000])
    new = rng.choice([b"(" * depth + word[0] + b")" * depth, (word[0] + b" + ") * depth + word[0], (word[0] + b" ") * depth])
    return data[:word.start()] + new + data[word.end():]


MUTATORS = [tokens] * 6 + [incomplete_class] * 4 + [without_includes] * 2 + [
    damage.of_lines, damage.of_lines, deeper, unicode_junk, other_line_ends] + damage.ANY
HEAVY_SHARE = 0.1  # of all: the made-up shapes take up to the whole bound each


def pool(corpus):
    folders = [ROOT / "tests/analyzer/checks", ROOT / "samples"] + [pathlib.Path(c) for c in corpus]
    files = sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    own = ROOT / "tests/analyzer/checks"
    return [path for path in files if path.parent != own or path.stem not in ("check_test", "rule_examples_test")]


def mutate(rng, files):
    """(name, suffix, bytes)"""
    if rng.random() < HEAVY_SHARE:
        name, data = shapes.make(rng)
        return name, ".cu", data
    path = rng.choice(files)
    data = path.read_bytes()
    names = []
    for _ in range(rng.choice([1, 1, 2])):
        mutator = rng.choice(MUTATORS)
        names.append(mutator.__name__)
        data = mutator(rng, data)
    return "-".join(names), path.suffix, data


class Sources:
    def __init__(self, options, tally):
        self.options, self.tally = options, tally

    def jobs(self, rng, count, folder):
        files = pool(self.options.corpus)
        for batch in range(0, count, BATCH):
            units = []
            where = os.path.join(folder, f"batch-{batch // BATCH}")
            os.makedirs(where)
            for number in range(batch, min(batch + BATCH, count)):
                name, suffix, data = mutate(rng, files)
                units.append(f"m{number:05}-{name}{suffix}")
                pathlib.Path(where, units[-1]).write_bytes(data)
            yield lambda where=where, units=units: self.read(where, units)

    def check(self, where, units, database):
        command = witnesses.check(self.options, where, os.path.join(where, database), units)
        rounds = 1 + (len(units) - 1) // self.options.jobs
        result = run(command, self.options.source_seconds * rounds, self.options.source_megabytes * self.options.jobs,
                     cwd=where)
        return (command, *self.judge(where, units, result))

    def read(self, where, units):
        """The mutated units and the untouched ones in one database; when that fails, each by itself to know which it was."""
        command, result, failed = self.check(where, units, "together")
        if result.faults:
            if not any([self.read_alone(where, unit) for unit in units]):
                self.tally.note(result)  # they fail together alone
                self.tally.save("together-" + os.path.basename(where), [where], command, result)
            return
        self.tally.add("runs", len(units))
        self.tally.add("ok", len(units) - len(failed))
        self.count(where, failed)

    def read_alone(self, where, unit):
        command, result, failed = self.check(where, [unit], "alone")
        self.tally.note(result)
        self.count(where, failed)
        if result.faults:
            self.tally.save(unit, [os.path.join(where, unit)], command, result)
        return bool(result.faults)

    def count(self, where, failed):
        self.tally.add("failed units named", len(failed))
        for unit, why in failed.items():
            if "crashed" in why or "over " in why:
                self.tally.add("units that crashed" if "crashed" in why else "units over a bound")
                self.tally.keep_input(os.path.join(where, unit), why)

    def judge(self, where, units, result):
        """Adds the faults that only the output tells; returns the failed units with the reasons given."""
        if result.faults:
            return result, {}
        faults, failed = witnesses.judge(self.options, where, result), {}
        try:
            document = json.loads(result.out)
        except ValueError:
            return result._replace(faults=faults), {}
        told = {os.path.basename(unit["file"]): unit for unit in document["units"]}
        for unit in units:
            status = told.get(unit, {"status": "missing"})["status"]
            if status == "missing" or (status == "failed" and unit not in result.err):
                faults.append("failed units not named")
            elif status == "failed":
                failed[unit] = told[unit]["why"]
        return result._replace(faults=faults), failed
