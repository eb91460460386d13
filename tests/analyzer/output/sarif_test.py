"""Reads a SARIF log as a consumer would: required properties, references, and that every region selects the right text."""
import json
import os
import sys
import unittest
from urllib.parse import unquote

LOG, INPUTS = sys.argv[1:3]


def objects(value):
    if isinstance(value, dict):
        yield value
        value = value.values()
    if isinstance(value, list) or not isinstance(value, (dict, str, int, float, bool, type(None))):
        for part in value:
            yield from objects(part)


class SarifTest(unittest.TestCase):
    def setUp(self):
        with open(LOG, encoding="utf-8") as file:
            self.log = json.load(file)
        self.run_ = self.log["runs"][0]

    def selected(self, uri, region):
        """The text of a region, counted in UTF-16 code units as the log declares."""
        with open(os.path.join(INPUTS, unquote(uri)), encoding="utf-8", newline="") as file:
            lines = [line.encode("utf-16-le") for line in file.read().splitlines(keepends=True)] + [b""]
        first, last = region["startLine"] - 1, region["endLine"] - 1
        lines = lines[first:last + 1]
        lines[-1] = lines[-1][:2 * (region["endColumn"] - 1)]
        lines[0] = lines[0][2 * (region["startColumn"] - 1):]
        return b"".join(lines).decode("utf-16-le")

    def physical(self, place):
        place = place["physicalLocation"]
        return self.selected(place["artifactLocation"]["uri"], place["region"])

    def test_required(self):
        self.assertEqual(self.log["version"], "2.1.0")
        self.assertEqual(self.run_["columnKind"], "utf16CodeUnits")
        self.assertEqual(self.run_["originalUriBaseIds"], {"SRCROOT": {"uri": "file:///ROOT/"}})
        self.assertEqual(self.run_["tool"]["driver"]["name"], "syncsniff")

    def test_rules_are_referred_to(self):
        rules = self.run_["tool"]["driver"]["rules"]
        self.assertEqual([rule["id"] for rule in rules],
                         ["redundant-sync", "scalar-readback", "sync-in-loop", "blocking-copy-in-loop"])
        for result in self.run_["results"]:
            self.assertEqual(rules[result["ruleIndex"]]["id"], result["ruleId"])

    def test_regions_select_the_text(self):
        texts = [self.physical(result["locations"][0]) for result in self.run_["results"]]
        self.assertEqual(texts, ["wait_for_it()", "cudaDeviceSynchronize()", '"größe 📏", loss,\n         sizeof(float)',
                                 "report(loss);"[:-1]])

    def test_levels(self):
        self.assertEqual([result["level"] for result in self.run_["results"]], ["warning", "error", "note", "error"])

    def test_code_flow(self):
        steps = self.run_["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"]
        self.assertEqual([step["location"]["message"]["text"] for step in steps],
                         ["in this loop", "forward is called here", "and waits here"])
        self.assertEqual(self.physical(steps[1]["location"]), "forward(step)")

    def test_fix_deletes_the_whole_line(self):
        changes = self.run_["results"][1]["fixes"][0]["artifactChanges"]
        self.assertEqual([change["artifactLocation"]["uri"] for change in changes], ["train.cu"])
        replacement = changes[0]["replacements"][0]
        self.assertEqual(self.selected("train.cu", replacement["deletedRegion"]), "    cudaDeviceSynchronize();\n")
        self.assertNotIn("insertedContent", replacement)

    def test_suppression(self):
        suppressed = [result.get("suppressions") for result in self.run_["results"]]
        self.assertEqual(suppressed, [None, None, None, [
            {"kind": "inSource", "status": "accepted", "justification": "printed for the plots"}]])

    def test_notifications(self):
        invocation = self.run_["invocations"][0]
        self.assertTrue(invocation["executionSuccessful"])
        notes = invocation["toolExecutionNotifications"]
        self.assertEqual([(note["level"], note["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
                          for note in notes], [("warning", "my%20step.cu"), ("error", "other%2C100%25%3Ax.cu")])

    def test_every_message_has_text(self):
        for value in objects(self.log):
            for key in ("message", "shortDescription", "fullDescription", "help", "description"):
                if isinstance(value.get(key), dict):
                    self.assertTrue(value[key]["text"], value)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
