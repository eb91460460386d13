"""What the readers of our reports demand of them: GitLab's Code Quality, Reviewdog's rdjson, JUnit's XML as Jenkins and
GitLab read it, and GitHub's code scanning beyond the SARIF schema. Over the golden files, and over the program's own
output for files with names that are hard to write.

usage: format_demands_test.py syncsniff-analyzer-fake DATA GOLDEN
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

PROGRAM, DATA, GOLDEN = sys.argv[1:4]

HARD_NAMES = [b"a b.cu", b"]]>.cu", b"<&\"'>.cu", b"\x01\x1b[31m.cu", b"new\nline.cu", b"no\xff\xfeutf8.cu", b"::error::x.cu",
              "größe.cu".encode(), "\ufffe\uffff.cu".encode(), "\u202eevil.cu".encode(), b"%0A{}.cu", b"-->.cu"]
CODE = "wait();\nredundant();\n  info();\nwait();  // NOLINT\n"




class Demands(unittest.TestCase):
    """Each check_... takes a whole report."""

    def golden(self, name):
        with open(os.path.join(GOLDEN, name), "rb") as file:
            return file.read()

    def keys(self, value, required, optional=()):
        self.assertIsInstance(value, dict)
        self.assertLessEqual(set(required), set(value), value)
        self.assertLessEqual(set(value), set(required) | set(optional), value)

    def natural(self, value):
        self.assertIs(type(value), int)
        self.assertGreaterEqual(value, 1)

    def text(self, value):
        self.assertIsInstance(value, str)
        self.assertNotEqual(value, "")

    def check_gitlab(self, report):
        issues = json.loads(report.decode("utf-8"))
        self.assertIsInstance(issues, list)
        for issue in issues:
            self.keys(issue, {"description", "check_name", "fingerprint", "severity", "location"})
            for key in ("description", "check_name", "fingerprint"):
                self.text(issue[key])
            self.assertIn(issue["severity"], {"info", "minor", "major", "critical", "blocker"})
            self.keys(issue["location"], {"path", "lines"})
            self.text(issue["location"]["path"])
            self.assertFalse(issue["location"]["path"].startswith(("./", "/")), issue)
            self.keys(issue["location"]["lines"], {"begin"})
            self.natural(issue["location"]["lines"]["begin"])
        fingerprints = [issue["fingerprint"] for issue in issues]
        self.assertEqual(len(fingerprints), len(set(fingerprints)))
        return issues

    def check_range(self, value):
        self.keys(value, {"start"}, {"end"})
        places = []
        for position in value.values():
            self.keys(position, {"line"}, {"column"})
            for number in position.values():
                self.natural(number)
            places.append((position["line"], position.get("column", 0)))
        self.assertEqual(places, sorted(places))
        self.assertEqual(len({"column" in position for position in value.values()}), 1)

    def check_location(self, value):
        self.keys(value, {"path"}, {"range"})
        self.text(value["path"])
        if "range" in value:
            self.check_range(value["range"])

    def check_rdjson(self, report):
        result = json.loads(report.decode("utf-8"))
        self.keys(result, {"source", "diagnostics"})
        self.keys(result["source"], {"name"}, {"url"})
        self.assertIsInstance(result["diagnostics"], list)
        for one in result["diagnostics"]:
            self.keys(one, {"message", "location", "severity"}, {"code", "suggestions", "related_locations"})
            self.text(one["message"])
            self.check_location(one["location"])
            self.assertIn(one["severity"], {"ERROR", "WARNING", "INFO"})
            if "code" in one:
                self.keys(one["code"], {"value"}, {"url"})
                self.text(one["code"]["value"])
            for suggestion in one.get("suggestions", []):
                self.keys(suggestion, {"range", "text"})
                self.check_range(suggestion["range"])
                self.assertIn("end", suggestion["range"])
                self.assertIsInstance(suggestion["text"], str)
            for place in one.get("related_locations", []):
                self.keys(place, {"location"}, {"message"})
                self.check_location(place["location"])
        return result["diagnostics"]

    def attributes(self, element, required, optional=()):
        self.assertLessEqual(set(required), set(element.attrib), element.attrib)
        self.assertLessEqual(set(element.attrib), set(required) | set(optional), element.attrib)

    def check_junit(self, report):
        self.assertTrue(report.startswith(b'<?xml version="1.0" encoding="UTF-8"?>\n'))
        suites = ElementTree.fromstring(report)
        self.assertEqual(suites.tag, "testsuites")
        self.attributes(suites, (), {"name", "time", "tests", "failures", "errors"})
        for suite in suites:
            self.assertEqual(suite.tag, "testsuite")
            self.attributes(suite, {"name", "tests", "failures", "errors"}, {"skipped", "time"})
            for case in suite:
                self.assertEqual(case.tag, "testcase")
                self.attributes(case, {"name"}, {"time", "classname"})
                self.assertLessEqual(len(case), 1)
                for outcome in case:
                    self.assertIn(outcome.tag, {"failure", "error", "skipped"})
                    self.attributes(outcome, (), {"type", "message"})
            for key, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
                self.assertEqual(int(suite.get(key)), len(suite.findall(f"testcase/{tag}")))
            self.assertEqual(int(suite.get("tests")), len(suite))
            self.assertGreater(len(suite), 0)
        for key in ("tests", "failures", "errors"):
            self.assertEqual(int(suites.get(key)), sum(int(suite.get(key)) for suite in suites))
        return suites

    def check_sarif(self, report):
        log = json.loads(report.decode("utf-8"))
        self.assertEqual(log["version"], "2.1.0")
        self.assertEqual(len(log["runs"]), 1)
        run = log["runs"][0]
        rules = run["tool"]["driver"]["rules"]
        self.assertLessEqual(len(rules), 25_000)
        self.assertEqual(len({rule["id"] for rule in rules}), len(rules))
        for rule in rules:
            self.assertLessEqual(len(rule["shortDescription"]["text"]), 1024)
            self.assertLessEqual(len(rule["fullDescription"]["text"]), 1024)
            self.text(rule["help"]["text"])
            self.assertIn(rule["defaultConfiguration"]["level"], {"note", "warning", "error"})
            self.assertIn(rule["properties"]["precision"], {"very-high", "high", "medium", "low"})
            self.assertLessEqual(len(rule["properties"].get("tags", [])), 20)
        self.assertLessEqual(len(run["results"]), 25_000)
        for result in run["results"]:
            self.assertEqual(rules[result["ruleIndex"]]["id"], result["ruleId"])
            self.assertIn(result["level"], {"none", "note", "warning", "error"})
            self.text(result["message"]["text"])
            self.assertTrue(1 <= len(result["locations"]) <= 1000)
            for flow in result.get("codeFlows", []):
                self.assertLessEqual(len(flow["threadFlows"][0]["locations"]), 10_000)
            place = result["locations"][0]["physicalLocation"]
            uri = place["artifactLocation"]["uri"]
            self.assertEqual(place["artifactLocation"]["uriBaseId"], "SRCROOT")
            self.assertFalse(uri.startswith(("/", "file:", "../", "./")), uri)
            self.assertNotRegex(uri, "[^A-Za-z0-9._~/%-]")
            self.natural(place["region"]["startLine"])
        return run


class Golden(Demands):
    def test_gitlab(self):
        self.assertEqual([issue["severity"] for issue in self.check_gitlab(self.golden("gitlab.json"))],
                         ["major", "critical", "minor"])

    def test_rdjson(self):
        found = self.check_rdjson(self.golden("whole.rdjson"))
        self.assertEqual([one["severity"] for one in found], ["WARNING", "ERROR", "INFO", "WARNING", "ERROR"])
        self.assertEqual([len(one.get("suggestions", [])) for one in found], [0, 1, 0, 0, 0])
        self.assertEqual([len(one.get("related_locations", [])) for one in found], [3, 1, 0, 0, 0])

    def test_junit(self):
        suites = self.check_junit(self.golden("junit.xml"))
        self.assertEqual([suites.get(key) for key in ("tests", "failures", "errors")], ["5", "3", "1"])

    def test_sarif(self):
        run = self.check_sarif(self.golden("whole.sarif"))
        # Every finding of the analysis has a fingerprint; the sample has one without.
        self.assertEqual([len(result.get("partialFingerprints", {})) for result in run["results"]], [1, 1, 0, 1])


class HardNames(Demands):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.fsencode(folder.name)
        for name in HARD_NAMES:
            with open(os.path.join(self.folder, name), "w") as file:
                file.write(CODE)
        with open(os.path.join(self.folder, b"failed]]>&.cu"), "w") as file:
            file.write("// failed\n")
        os.mkdir(os.path.join(self.folder, b".git"))

    def report(self, name):
        env = {"SYNCSNIFF_DATA_DIR": DATA, "PATH": os.environ["PATH"]}
        words = [PROGRAM.encode(), b"check", b"--format", name.encode(), b"--", *HARD_NAMES, b"failed]]>&.cu"]
        done = subprocess.run(words, cwd=self.folder, env=env, capture_output=True)
        self.assertEqual(done.returncode, 1, done.stderr)
        return done.stdout

    def test_gitlab(self):
        self.assertEqual(len(self.check_gitlab(self.report("gitlab"))), 3 * len(HARD_NAMES))

    def test_rdjson(self):
        found = self.check_rdjson(self.report("rdjson"))
        self.assertEqual(len(found), 3 * len(HARD_NAMES) + 1)
        self.assertEqual(sum(len(one.get("suggestions", [])) for one in found), len(HARD_NAMES))

    def test_junit(self):
        suites = self.check_junit(self.report("junit"))
        self.assertEqual(int(suites.get("failures")), 3 * len(HARD_NAMES))
        self.assertEqual(int(suites.get("errors")), 1)
        self.assertIn("]]>.cu", {suite.get("name") for suite in suites})
        self.assertIn("<&\"'>.cu", {suite.get("name") for suite in suites})

    def test_sarif(self):
        run = self.check_sarif(self.report("sarif"))
        self.assertEqual(len(run["results"]), 4 * len(HARD_NAMES))
        for result in run["results"]:
            self.assertEqual(list(result["partialFingerprints"]), ["syncsniff/v1"])

    def test_concise(self):
        lines = self.report("concise").decode("utf-8").splitlines()
        self.assertEqual(len(lines), 3 * len(HARD_NAMES))
        for line in lines:
            self.assertRegex(line, r"^.*\.cu:[123]:[13]: (high|info): .* \[[a-z-]+\]$")
            self.assertFalse(line.startswith("::"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
