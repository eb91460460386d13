"""The facts cache: whatever its files hold, `check` says what it says without a cache."""
import json
import os
import pathlib
import shutil

import damage
import sources
import witnesses
from runner import run


def damage_files(rng, folder):
    """Damages some entries of the cache; returns how."""
    entries = sorted(path for path in pathlib.Path(folder).rglob("*") if path.is_file())
    if not entries:
        raise SystemExit(f"{folder}: nothing was cached")
    how = rng.choice(["bytes"] * 6 + ["swapped", "folder", "fifo", "endless", "loop", "gone"])
    for path in rng.sample(entries, rng.randrange(1, len(entries) + 1)):
        if how == "bytes":
            path.write_bytes(rng.choice(damage.BINARY)(rng, path.read_bytes()))
            continue
        if how == "swapped":
            path.write_bytes(rng.choice(entries).read_bytes())
            continue
        path.unlink()
        if how == "folder":
            path.mkdir()
        elif how == "fifo":
            os.mkfifo(path)
        elif how == "endless":
            path.symlink_to("/dev/zero")
        elif how == "loop":
            path.symlink_to(path)
    return how


class Cache:
    def __init__(self, options, tally):
        self.options, self.tally = options, tally

    def jobs(self, rng, count, folder):
        self.where = os.path.join(folder, "program")
        os.makedirs(self.where)
        units = []
        for path in sources.pool([]):
            if path.stem in ("sync-in-loop", "redundant-sync", "sync-in-loop-c"):
                units.append(path.name)
                shutil.copyfile(path, os.path.join(self.where, path.name))
        self.command = witnesses.check(self.options, self.where, self.where, units)
        self.command.remove("--no-cache")
        pristine = os.path.join(folder, "pristine")
        first, again = self.read(pristine), self.read(pristine)
        if first.faults or not first.out or first.out != again.out:
            raise SystemExit(f"two runs over one cache differ, or fail: {first.faults} {first.err}")
        self.expected = json.loads(first.out)
        for number in range(count):
            copy = os.path.join(folder, f"c{number:05}")
            shutil.copytree(pristine, copy)
            how = damage_files(rng, copy)
            yield lambda copy=copy, how=how: self.compare(copy, how)

    def read(self, cache):
        return run(self.command, self.options.seconds, self.options.megabytes, cwd=self.where,
                   environment={"XDG_CACHE_HOME": cache})

    def compare(self, cache, how):
        result = self.read(cache)
        if not result.faults:
            try:
                same = json.loads(result.out) == self.expected
            except ValueError:
                same = False
            if not same:
                result = result._replace(faults=["wrong findings"])
        self.tally.note(result)
        if result.faults:
            self.tally.save(f"{os.path.basename(cache)}-{how}", [cache, self.where], self.command, result)
        shutil.rmtree(cache)
