"""Public files as they are, each read alone: where it lies, and copied to an empty folder, where no header of its own is found."""
import json
import os
import shutil

import sources
from runner import run


class Corpus:
    def __init__(self, options, tally):
        self.options, self.tally = options, tally

    def jobs(self, rng, count, folder):
        if not self.options.corpus:
            print("corpus: no --corpus DIR given", flush=True)
            return
        own = str(sources.ROOT)
        files = [path for path in sources.pool(self.options.corpus) if not str(path).startswith(own)]
        for number, path in enumerate(files if len(files) <= count else rng.sample(files, count)):
            alone = os.path.join(folder, f"f{number:05}")
            os.makedirs(alone)
            shutil.copyfile(path, os.path.join(alone, path.name))
            yield lambda path=str(path): self.read(path)
            yield lambda path=os.path.join(alone, path.name): self.read(path)

    def read(self, path):
        command = [self.options.syncsniff, "check", os.path.basename(path), "--format=json", "--no-cache", "--jobs=1"]
        result = run(command, self.options.source_seconds, self.options.source_megabytes, cwd=os.path.dirname(path))
        if not result.faults:
            result = self.judge(path, result)
        self.tally.note(result)
        if result.faults:
            self.tally.save(path.strip("/").replace("/", "+")[-200:], [path], command, result)

    def judge(self, path, result):
        try:
            units = json.loads(result.out)["units"]
        except (ValueError, KeyError):
            return result._replace(faults=["wrong findings"])
        for unit in units:
            if unit["status"] != "failed":
                continue
            if os.path.basename(unit["file"]) not in result.err:
                return result._replace(faults=["failed units not named"])
            self.tally.add("failed units named")
            if "crashed" in unit["why"] or "over " in unit["why"]:
                self.tally.add("units that crashed" if "crashed" in unit["why"] else "units over a bound")
                self.tally.keep_input(path, unit["why"])
        return result
