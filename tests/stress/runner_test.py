"""The mutations' own judgement, on programs whose faults are known: it must be able to find each."""
import json
import os
import pathlib
import tempfile
import types
import unittest

import mutations
import runner
import sources
import witnesses

SAYS = "echo 'syncsniff: error: x.cu: no such file' >&2; "


def faults(script, seconds=20, megabytes=500):
    return runner.run(["sh", "-c", script], seconds, megabytes).faults


class Faults(unittest.TestCase):
    def test_every_kind_of_bad_end_is_told_from_a_good_one(self):
        self.assertEqual(faults("exit 0"), [])
        self.assertEqual(faults("exit 1"), [])
        self.assertEqual(faults(SAYS + "exit 2"), [])
        self.assertEqual(faults("echo oops >&2; exit 2"), ["refusals without a reason"])
        self.assertEqual(faults("exit 3"), ["wrong statuses"])
        self.assertEqual(faults("kill -SEGV $$"), ["crashes"])
        self.assertEqual(faults("exit 134"), ["crashes"])
        self.assertEqual(faults("echo 'ERROR: AddressSanitizer: heap-use-after-free' >&2; exit 1"), ["crashes"])

    def test_bounds_of_time_and_memory_hold_for_children_too(self):
        self.assertEqual(faults("sh -c 'sleep 60'; exit 0", seconds=1), ["hangs"])
        hoard = "import time; kept = bytearray(b'x') * (300 << 20); time.sleep(60)"
        self.assertEqual(faults(f'python3 -c "{hoard}"; exit 0', megabytes=200), ["over memory"])

    def test_a_process_that_outlives_the_command_is_a_fault(self):
        self.assertEqual(faults("sleep 60 & exit 0"), ["processes left"])


class Judgement(unittest.TestCase):
    """A stand-in for the program, which prints what the test puts into answer.json."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)
        program = pathlib.Path(self.folder, "program")
        program.write_text(f"#!/bin/sh\ncat {self.folder}/answer.json; cat {self.folder}/says >&2; exit 1\n")
        program.chmod(0o755)
        self.options = types.SimpleNamespace(syncsniff=str(program), jobs=2, source_seconds=20, source_megabytes=500)
        self.finding = {"rule": "sync-in-loop", "location": {"file": "untouched_step.cu", "line": 8}}
        self.units = [{"file": name, "status": "analysed", "why": ""} for name in witnesses.SOURCES]
        self.answer([self.finding], self.units)
        witnesses.prepare(self.options, self.folder)

    def answer(self, findings, units, says=""):
        pathlib.Path(self.folder, "answer.json").write_text(json.dumps({"findings": findings, "units": units}))
        pathlib.Path(self.folder, "says").write_text(says)

    def counts(self):
        tally = runner.Tally("sources", os.path.join(self.folder, "keep"))
        where = os.path.join(self.folder, "batch")
        os.makedirs(where, exist_ok=True)
        pathlib.Path(where, "odd.cu").write_text("x")
        sources.Sources(self.options, tally).read(where, ["odd.cu"])
        return {name: count for name, count in tally.counts.items() if count}

    def test_a_failed_unit_that_is_named_costs_the_others_nothing(self):
        odd = {"file": "odd.cu", "status": "failed", "why": "crashed"}
        self.answer([self.finding], self.units + [odd], "syncsniff: warning: odd.cu: failed: crashed\n")
        self.assertEqual(self.counts(), {"runs": 1, "failed units named": 1, "units that crashed": 1})
        self.answer([self.finding], self.units + [odd])
        self.assertIn("failed units not named", self.counts())

    def test_a_unit_or_a_finding_that_is_lost_is_a_fault(self):
        odd = {"file": "odd.cu", "status": "analysed", "why": ""}
        self.answer([self.finding], self.units + [odd])
        self.assertEqual(self.counts(), {"runs": 1, "ok": 1})
        self.answer([self.finding], self.units)
        self.assertIn("failed units not named", self.counts())
        self.answer([], self.units + [odd])
        self.assertIn("wrong findings", self.counts())
        self.answer([self.finding], self.units[1:] + [odd])
        self.assertIn("wrong findings", self.counts())


class Seeds(unittest.TestCase):
    def test_the_same_seed_gives_the_same_inputs(self):
        def made(seed):
            rng = mutations.random.Random(seed)
            return [sources.mutate(rng, sources.pool([])) for _ in range(30)]
        self.assertEqual(made("1 sources"), made("1 sources"))
        self.assertNotEqual(made("1 sources"), made("2 sources"))


if __name__ == "__main__":
    unittest.main()
