"""Traces: what a full disk, a killed process or a damaged copy leaves, and text that no `dump` wrote."""
import os
import pathlib

import damage
from runner import run

TWINS = pathlib.Path(__file__).resolve().parents[1] / "instrument/twins"
WORDS = [b"-1", b"18446744073709551615", b"9223372036854775807", b"0", b"1e9", b"0x", b"nan", b"\"", b"\"\"", b"=", b"id="]


def text_mutation(rng, data):
    how = rng.randrange(3)
    if how == 0:
        return damage.of_lines(rng, data)
    if how == 1:
        parts = data.split(b" ")
        for _ in range(rng.choice([1, 5, 50])):
            at = rng.randrange(len(parts))
            name, equals, _ = parts[at].partition(b"=")
            parts[at] = name + equals + rng.choice(WORDS)
        return b" ".join(parts)
    return rng.choice(damage.ANY)(rng, data)


class Traces:
    def __init__(self, options, tally):
        self.options, self.tally = options, tally
        self.made = {}

    def jobs(self, rng, count, folder):
        twins = sorted(TWINS.glob("*.txt"))
        for number in range(count):
            twin = rng.choice(twins)
            if rng.random() < 0.2:
                path = os.path.join(folder, f"t{number:05}-{twin.stem}.txt")
                pathlib.Path(path).write_bytes(text_mutation(rng, twin.read_bytes()))
                yield lambda path=path: self.undump(path)
                continue
            data = self.trace(twin, folder)
            for _ in range(rng.choice([1, 1, 3])):
                mutator = rng.choice(damage.BINARY)
                data = mutator(rng, data)
            path = os.path.join(folder, f"t{number:05}-{twin.stem}-{mutator.__name__}.sstrace")
            pathlib.Path(path).write_bytes(data)
            yield lambda path=path: self.read(path)

    def trace(self, twin, folder):
        if twin not in self.made:
            path = os.path.join(folder, twin.stem + ".sstrace")
            result = run([self.options.syncsniff, "undump", str(twin), "-o", path], self.options.seconds, self.options.megabytes)
            if result.status != 0:
                raise SystemExit(f"{twin}: undump: {result.err}")
            self.made[twin] = pathlib.Path(path).read_bytes()
        return self.made[twin]

    def run(self, path, *words):
        command = [self.options.syncsniff, *words]
        result = run(command, self.options.seconds, self.options.megabytes, cwd=os.path.dirname(path))
        self.tally.note(result)
        if result.faults:
            self.tally.save(os.path.basename(path) + "-" + words[0], [path], command, result)
        return result

    def read(self, path):
        self.run(path, "report", path)
        self.run(path, "report", "--format=json", path)
        self.run(path, "dump", path)
        os.unlink(path)

    def undump(self, path):
        made = path + ".sstrace"
        result = self.run(path, "undump", path, "-o", made)
        if os.path.exists(made):
            # A few kilobytes of text must not make a trace of gigabytes: this limit is far above what the texts here hold.
            if os.path.getsize(made) > 2 ** 20 * self.options.megabytes:
                self.tally.add("over memory")
                self.tally.save(os.path.basename(path), [path], ["undump"], result._replace(faults=["over memory"]))
            else:
                self.read(made)
            if os.path.exists(made):
                os.unlink(made)
