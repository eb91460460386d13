"""The rule and API tables: a damaged copy is refused by its file's name, or says what the whole one says."""
import os
import pathlib
import shutil

import damage
import witnesses
from runner import run

SCALARS = [b"[]", b"{}", b"~", b"-1", b"999999999999999999999", b"true", b"*anchor", b"&a [*a]", b"!!binary x", b"\"\\x00\"",
           b"|", b">", b"? ", b"<<: *a", b"'", b"\t"]


def other_value(rng, data):
    lines = data.splitlines(keepends=True)
    at = rng.randrange(len(lines))
    key, colon, _ = lines[at].partition(b":")
    lines[at] = key + colon + b" " + rng.choice(SCALARS) + b"\n"
    return b"".join(lines)


def deep(rng, data):
    depth = rng.choice([100, 3000, 200000])
    return data + b"\nx: " + rng.choice([b"[" * depth, b"{a: " * depth, b"- " * depth, b"[" * depth + b"]" * depth]) + b"\n"


def many_aliases(_rng, data):
    """Each level doubles the last nine times over."""
    levels = [b"l0: &l0 [x, x, x, x, x, x, x, x, x]"]
    levels += [b"l%d: &l%d [%s]" % (i, i, b", ".join([b"*l%d" % (i - 1)] * 9)) for i in range(1, 10)]
    return data + b"\n" + b"\n".join(levels) + b"\n"


TEXT = damage.ANY + [damage.of_lines] * 4 + [other_value] * 6 + [deep, many_aliases]


class Tables:
    def __init__(self, options, tally):
        self.options, self.tally = options, tally

    def jobs(self, rng, count, folder):
        data = pathlib.Path(self.options.syncsniff).resolve().parent.parent / "share/syncsniff"
        whole = os.path.join(folder, "whole")
        shutil.copytree(data, whole, symlinks=False)
        self.where = os.path.join(folder, "program")
        os.makedirs(self.where)
        check = witnesses.check(self.options, self.where, self.where, [])
        rule = sorted(pathlib.Path(whole, "rules/checks").glob("*.yaml"))[0].stem
        self.commands = [check, [self.options.syncsniff, "rules"], [self.options.syncsniff, "rule", rule]]
        self.expected = [self.read(whole, command).out for command in self.commands]
        for number in range(count):
            where = os.path.join(folder, f"y{number:05}")
            os.makedirs(where)
            os.symlink(os.path.join(whole, "clang-headers"), os.path.join(where, "clang-headers"))
            shutil.copytree(os.path.join(whole, "rules"), os.path.join(where, "rules"))
            files = sorted(path for path in pathlib.Path(where, "rules").rglob("*") if path.is_file())
            compiled = [path for path in files if path.suffix != ".yaml"]
            file = rng.choice(compiled if compiled and rng.random() < 0.25 else [path for path in files if path.suffix == ".yaml"])
            mutator = rng.choice(damage.BINARY if file in compiled else TEXT)
            file.write_bytes(mutator(rng, file.read_bytes()))
            yield lambda where=where, file=file, how=mutator.__name__: self.compare(where, file, how)

    def read(self, where, command):
        return run(command, self.options.seconds, self.options.megabytes, cwd=self.where,
                   environment={"SYNCSNIFF_DATA_DIR": where})

    def compare(self, where, file, how):
        for command, expected in zip(self.commands, self.expected):
            result = self.read(where, command)
            # The compiled tables are a copy: the text beside them still stands.
            if not result.faults and file.suffix != ".yaml" and result.out != expected:
                result = result._replace(faults=["wrong findings"])
            if not result.faults and result.status == 2 and file.name not in result.err:
                result = result._replace(faults=["refusals without a reason"])
            self.tally.note(result)
            if result.faults:
                self.tally.save(f"{os.path.basename(where)}-{file.stem}-{how}-{command[1]}", [file], command, result)
        shutil.rmtree(where)
