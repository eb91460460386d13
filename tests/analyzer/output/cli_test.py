"""What syncsniff-analyzer prints, writes and returns, over a stand-in for the analysis (fake_analysis.cpp)."""
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

PROGRAM, DATA = sys.argv[1:3]


class CliTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", newline="") as file:
            file.write(text)

    def read(self, name):
        with open(os.path.join(self.folder, name), newline="") as file:
            return file.read()

    def run_it(self, *words, stdout=subprocess.PIPE):
        env = {"SYNCSNIFF_DATA_DIR": DATA, "PATH": os.environ["PATH"], "TERM": "xterm"}
        done = subprocess.run([PROGRAM, *words], cwd=self.folder, env=env, stdout=stdout,
                              stderr=subprocess.PIPE)
        return done.returncode, (done.stdout or b"").decode(), done.stderr.decode()  # no newline translation

    def git_apply(self, diff):
        subprocess.run(["git", "init", "-q"], cwd=self.folder, check=True)
        for words in (["--check"], []):
            done = subprocess.run(["git", "apply", "--verbose", *words, "-"], cwd=self.folder, input=diff.encode(),
                                  capture_output=True)
            self.assertEqual(done.returncode, 0, done.stderr)

    # check

    def test_findings(self):
        self.write("a.cu", "f();\n  wait();\n")
        self.assertEqual(self.run_it("check", "a.cu"), (
            1,
            "a.cu:2:3: warning: wait(); stalls [sync-in-loop] (high)\n"
            "    2 |   wait();\n"
            "      |   ^~~~~~\n"
            "a.cu:2:3: note: fix: move it out of the loop\n",
            "1 finding in 1 file (1 high); 1 unit analysed\n"))

    def test_clean(self):
        self.write("a.cu", "f();\n")
        self.assertEqual(self.run_it("check", "a.cu"), (0, "", "no findings; 1 unit analysed\n"))
        self.assertEqual(self.run_it("check", "--quiet", "a.cu"), (0, "", ""))

    def test_info_is_shown_and_does_not_fail(self):
        self.write("a.cu", "info();\n")
        code, out, err = self.run_it("check", "a.cu")
        self.assertEqual((code, err), (0, "1 finding in 1 file (1 info); 1 unit analysed\n"))
        self.assertTrue(out.startswith("a.cu:1:1: remark: info(); stalls [scalar-readback] (info)\n"))
        self.assertEqual(self.run_it("check", "--min-severity=low", "a.cu"), (0, "", "no findings; 1 unit analysed\n"))
        self.assertEqual(self.run_it("check", "--fail-level=info", "a.cu")[0], 1)

    def test_fail_level(self):
        self.write("a.cu", "wait();\n")
        self.assertEqual(self.run_it("check", "--fail-level=never", "a.cu")[0], 0)
        self.assertEqual(self.run_it("check", "--fail-level=high", "a.cu")[0], 1)

    def test_findings_are_sorted_by_file_and_line(self):
        self.write("b.cu", "wait();\n")
        self.write("a.cu", "x;\nwait();\nredundant();\nwait();\n")
        out = self.run_it("check", "--quiet", "b.cu", "a.cu")[1]
        self.assertEqual([line.split(" ")[0] for line in out.splitlines()],
                         ["a.cu:2:1:", "a.cu:3:1:", "a.cu:4:1:", "b.cu:1:1:"])

    def test_units_that_were_not_read_are_told(self):
        self.write("a.cu", "f();\n")
        self.write("b.cu", "// failed\n")
        self.write("c.cu", "// partial\n")
        for words in ([], ["--quiet"], ["--format=github"]):
            code, _, err = self.run_it("check", *words, "a.cu", "b.cu", "c.cu")
            self.assertEqual((code, err), (
                0,
                "syncsniff: warning: b.cu: not analysed: no such header\n"
                "syncsniff: warning: c.cu: only partly analysed: no such header\n"
                "no findings; 1 unit analysed, 1 partial, 1 failed: not all of the program was checked\n"))

    def test_nothing_analysed(self):
        self.write("b.cu", "// failed\n")
        code, out, err = self.run_it("check", "b.cu")
        self.assertEqual((code, out), (2, ""))
        self.assertEqual(err.splitlines()[-1],
                         "syncsniff: error: nothing could be analysed: 1 unit failed; the warnings say why")

    def test_one_line_errors(self):
        self.write("a.cu", "f();\n")
        self.write("bad.json", "{")
        for words, start in (
                (["check"], "syncsniff: error: no compile_commands.json found"),
                (["check", "gone.cu"], "syncsniff: error: gone.cu: no such file"),
                (["check", "--rules=sync-in-lop", "a.cu"],
                 "syncsniff: error: --rules: unknown rule 'sync-in-lop'; did you mean 'sync-in-loop'?"),
                (["check", "--rules=zzzzzzzzzzzz", "a.cu"],
                 "syncsniff: error: --rules: unknown rule 'zzzzzzzzzzzz'; there are redundant-sync, scalar-readback, "),
                (["check", "--baseline=gone.json", "a.cu"], "syncsniff: error: gone.json: "),
                (["check", "--baseline=bad.json", "a.cu"], "syncsniff: error: bad.json: "),
                (["check", "--level=7", "a.cu"], "syncsniff: error: --level: ")):
            code, out, err = self.run_it(*words)
            self.assertEqual((code, out, err.count("\n")), (2, "", 1), (words, err))
            self.assertTrue(err.startswith(start), err)

    def test_output_file(self):
        self.write("a.cu", "wait();\n")
        self.write("out.json", "old")
        code, out, _ = self.run_it("check", "--format=json", "-o", "out.json", "a.cu")
        self.assertEqual((code, out), (1, ""))
        findings = json.loads(self.read("out.json"))
        self.assertEqual([f["rule"] for f in findings["findings"]], ["sync-in-loop"])
        self.assertEqual(findings["units"], [{"file": "a.cu", "status": "analysed", "why": ""}])
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.cu", "out.json"])

    def test_several_reports_at_once(self):
        self.write("a.cu", "wait();\n")
        code, out, _ = self.run_it("check", "--format=concise", "--format=sarif:out.sarif",
                                   "--format", "gitlab:quality.json", "a.cu")
        self.assertEqual((code, out), (1, "a.cu:1:1: high: wait(); stalls [sync-in-loop]\n"))
        self.assertEqual(len(json.loads(self.read("out.sarif"))["runs"][0]["results"]), 1)
        self.assertEqual(len(json.loads(self.read("quality.json"))), 1)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.cu", "out.sarif", "quality.json"])
        # Standard output is empty where every report has a file.
        self.assertEqual(self.run_it("check", "--format=json:all.json", "a.cu")[:2], (1, ""))

    def test_of_several_reports_the_others_are_written(self):
        self.write("a.cu", "f();\n")
        code, out, err = self.run_it("check", "--format=json:no/such/a.json", "--format=gitlab:no/such/b.json",
                                     "--format=sarif:out.sarif", "a.cu")
        self.assertEqual(code, 2)
        self.assertEqual(json.loads(out)["findings"], [])  # the first one; two would not be readable
        self.assertIn("a.json: No such file or directory; make its folder first; the report goes to standard output", err)
        self.assertIn("b.json: No such file or directory; make its folder first; this report is not written", err)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.cu", "out.sarif"])

    def test_a_report_that_cannot_be_written_is_not_lost(self):
        self.write("a.cu", "f();\n")
        code, out, err = self.run_it("check", "--format=json", "-o", "no/such/out.json", "a.cu")
        self.assertEqual(code, 2)
        self.assertEqual(json.loads(out)["findings"], [])
        self.assertTrue(err.startswith("syncsniff: error: no/such/out.json: No such file or directory; "), err)

    def test_a_full_disk_is_an_error(self):
        self.write("a.cu", "wait();\n")
        with open("/dev/full", "w") as full:
            code, _, err = self.run_it("check", "a.cu", stdout=full)
        self.assertEqual((code, err), (2, "syncsniff: error: standard output: cannot write the report; use -o FILE\n"))

    def test_baseline(self):
        self.write("a.cu", "wait();\n")
        self.run_it("check", "--format=json", "-o", "old.json", "a.cu")
        self.assertEqual(self.run_it("check", "--baseline=old.json", "a.cu"),
                         (0, "", "no findings, 1 in the baseline; 1 unit analysed\n"))
        self.write("a.cu", "wait();\nwait();\n")
        code, out, err = self.run_it("check", "--baseline=old.json", "--quiet", "a.cu")
        self.assertEqual((code, out), (1, "a.cu:2:1: warning: wait(); stalls [sync-in-loop] (high)\n"))

    def test_allowed(self):
        self.write("a.cu", "wait();  // syncsniff: allow(sync-in-loop) for the plot\n")
        self.assertEqual(self.run_it("check", "a.cu"), (0, "", "no findings, 1 allowed; 1 unit analysed\n"))
        code, out, _ = self.run_it("check", "--show-allowed", "a.cu")
        self.assertEqual(code, 0)
        self.assertEqual(out.splitlines()[0], "a.cu:1:1: warning: wait(); stalls [sync-in-loop] (high) (allowed)")
        self.assertEqual(out.splitlines()[-1], "a.cu:1:1: note: allowed: for the plot")
        finding = json.loads(self.run_it("check", "--format=json", "a.cu")[1])["findings"][0]
        self.assertEqual((finding["allowed"], finding["allowedBecause"]), (True, "for the plot"))

    def test_all_rules_off(self):
        self.write("a.cu", "wait();\n")
        err = self.run_it("check", "--rules=-*", "a.cu")[2]
        self.assertIn("warning: every rule is off (--rules, or `rules` in .syncsniff.yaml)", err)
        self.assertNotIn("every rule is off", self.run_it("check", "--rules=-*,sync-in-loop", "a.cu")[2])

    def test_unknown_rule_in_a_comment(self):
        self.write("a.cu", "x;\nwait();  // syncsniff: allow(sync-in-lop) oops\n")
        code, _, err = self.run_it("check", "a.cu")
        self.assertEqual(code, 1)
        self.assertEqual(err.splitlines()[0],
                         "a.cu:2:13: warning: unknown rule 'sync-in-lop' in allow(); did you mean 'sync-in-loop'?")

    def test_colour(self):
        self.write("a.cu", "wait();\n")
        self.assertNotIn("\x1b", self.run_it("check", "a.cu")[1])
        self.assertIn("\x1b[1;35mwarning:\x1b[0m", self.run_it("check", "--color=always", "a.cu")[1])

    def test_unused_allows(self):
        self.write("a.cu", "f();  // syncsniff: allow(sync-in-loop) once\n"
                           "wait();  // syncsniff: allow(sync-in-loop) used\n"
                           "info();  // syncsniff: allow(scalar-readback) used\n")
        told = "a.cu:1:10: warning: allow(sync-in-loop) silences no finding in this run\n"
        self.assertNotIn("silences", self.run_it("check", "a.cu")[2])
        code, _, err = self.run_it("check", "--report-unused-allows", "a.cu")
        self.assertEqual((code, err.count("silences")), (0, 1))
        self.assertTrue(err.startswith(told), err)
        code, _, err = self.run_it("check", "--fail-unused-allows", "--min-severity=high", "a.cu")
        self.assertEqual((code, err.count("silences")), (1, 1), err)
        self.assertEqual(self.run_it("check", "--fail-unused-allows", "--rules=sync-in-loop", "--fail-level=never",
                                     "a.cu")[0], 1)
        # What the run could not see does not make it fail.
        self.assertEqual(self.run_it("check", "--fail-unused-allows", "--rules=redundant-sync", "a.cu")[0], 0)
        self.assertEqual(self.run_it("check", "--fail-unused-allows", "--level=0", "a.cu")[0], 0)
        self.write("b.cu", "// failed\n")
        code, _, err = self.run_it("check", "--fail-unused-allows", "a.cu", "b.cu")
        self.assertEqual((code, err.count("1 unit was not read completely and may need it")), (0, 1))

    # fix

    def test_check_and_fix(self):
        self.write("a.cu", "f();\n  redundant();\ng();\nwait();\n")
        code, out, err = self.run_it("check", "--fix", "--format=concise", "a.cu")
        self.assertEqual((code, out, err), (
            1,
            "a.cu:2:3: high: redundant(); stalls [redundant-sync]\na.cu:4:1: high: wait(); stalls [sync-in-loop]\n",
            "2 findings in 1 file (2 high); 1 unit analysed\n"
            "a.cu:2:3: fixed: redundant(); stalls [redundant-sync]\n"
            "1 edit applied in 1 file; 1 finding needs a manual fix\n"))
        self.assertEqual(self.read("a.cu"), "f();\ng();\nwait();\n")
        self.write("a.cu", "f();\nredundant();\n")
        self.assertEqual(self.run_it("check", "--fix", "a.cu")[0], 0)
        self.assertEqual(self.read("a.cu"), "f();\n")

    def test_check_and_fix_leave_the_baseline_alone(self):
        self.write("a.cu", "redundant();\n")
        self.run_it("check", "--format=json:old.json", "a.cu")
        code, out, err = self.run_it("check", "--fix", "--baseline=old.json", "a.cu")
        self.assertEqual((code, out, err), (0, "", "no findings, 1 in the baseline; 1 unit analysed\nno edit to make\n"))
        self.assertEqual(self.read("a.cu"), "redundant();\n")

    def test_fix_with_a_report(self):
        self.write("a.cu", "f();\nredundant();\nwait();\n")
        code, out, err = self.run_it("fix", "--format=json", "a.cu")
        self.assertEqual([finding["rule"] for finding in json.loads(out)["findings"]], ["redundant-sync", "sync-in-loop"])
        self.assertEqual(code, 1)
        self.assertEqual(err, "a.cu:2:1: fixed: redundant(); stalls [redundant-sync]\n"
                              "a.cu:3:1: manual fix: move it out of the loop [sync-in-loop]\n"
                              "1 edit applied in 1 file; 1 finding needs a manual fix\n")
        code, out, _ = self.run_it("fix", "--format=gitlab:q.json", "a.cu")
        self.assertEqual((code, out), (1, "a.cu:2:1: manual fix: move it out of the loop [sync-in-loop]\n"))
        self.assertEqual([one["check_name"] for one in json.loads(self.read("q.json"))], ["sync-in-loop"])

    def test_exported_fixes_change_nothing_else(self):
        text = "f();\nredundant();\n"
        self.write("a.cu", text)
        code, out, err = self.run_it("fix", "--export-fixes=fixes.yaml", "a.cu")
        self.assertEqual((code, out, err), (1, "", "1 edit exported for 1 file\n"))
        self.assertEqual(self.read("a.cu"), text)
        self.assertIn("ReplacementText: \"\"\n", self.read("fixes.yaml"))
        self.write("b.cu", "f();\n")
        self.assertEqual(self.run_it("fix", "--export-fixes=fixes.yaml", "b.cu")[0], 0)
        self.assertIn("Diagnostics: []\n", self.read("fixes.yaml"))

    def test_clang_applies_exported_fixes_as_fix_does(self):
        tool = next(filter(None, map(shutil.which, ["clang-apply-replacements-19", "clang-apply-replacements"])), None)
        if not tool:
            self.skipTest("clang-apply-replacements is not installed")
        sources = {"a.cu": "größe();\n  redundant();  // gone\nif (x) redundant();\nredundant(); g();\n",
                   "my \"file\" 'two'.cu": "redundant();\nwait();\n"}
        for name, text in sources.items():
            self.write(name, text)
        os.mkdir(os.path.join(self.folder, "fixes"))
        self.run_it("fix", "--export-fixes=fixes/f.yaml", *sources)
        subprocess.run([tool, "fixes"], cwd=self.folder, check=True)
        applied = {name: self.read(name) for name in sources}
        for name, text in sources.items():
            self.assertNotEqual(applied[name], text)
            self.write(name, text)
        self.run_it("fix", *sources)
        self.assertEqual(applied, {name: self.read(name) for name in sources})

    def test_fix(self):
        self.write("a.cu", "f();\n  redundant();\ng();\nwait();\n")
        self.assertEqual(self.run_it("fix", "a.cu"), (
            1,
            "a.cu:2:3: fixed: redundant(); stalls [redundant-sync]\n"
            "a.cu:4:1: manual fix: move it out of the loop [sync-in-loop]\n",
            "1 edit applied in 1 file; 1 finding needs a manual fix\n"))
        self.assertEqual(self.read("a.cu"), "f();\ng();\nwait();\n")

    def test_a_second_fix_has_nothing_to_do(self):
        self.write("a.cu", "f();\n  redundant();  // gone\r\nif (x) redundant();\nredundant(); g();\n")
        code, _, err = self.run_it("fix", "a.cu")
        self.assertEqual((code, err), (0, "3 edits applied in 1 file\n"))
        self.assertEqual(self.read("a.cu"), "f();\nif (x) {}\ng();\n")
        self.assertEqual(self.run_it("fix", "a.cu"), (0, "", "no edit to make\n"))

    def test_dry_run_is_a_patch(self):
        before = "".join(f"line{i};\n" for i in range(30)).replace("line5;", "redundant();").replace(
            "line20;", "a(); redundant();") + "redundant();"
        self.write("my file.cu", before)
        self.write("b.cu", "redundant();\r\nwait();\r\n")
        code, diff, err = self.run_it("fix", "--dry-run", "my file.cu", "b.cu")
        self.assertEqual(code, 1)
        self.assertEqual(err, "b.cu:2:1: manual fix: move it out of the loop [sync-in-loop]\n"
                              "4 edits would be applied in 2 files; 1 finding needs a manual fix\n")
        self.assertEqual(self.read("my file.cu"), before)
        after = before.replace("redundant();\n", "", 1).replace("a(); redundant();", "a();").replace("redundant();", "")
        self.git_apply(diff)
        self.assertEqual(self.read("my file.cu"), after)
        self.assertEqual(self.read("b.cu"), "wait();\r\n")

    def test_dry_run_with_patch(self):
        self.write("a.cu", "f();\nredundant();\ng();\n")
        diff = self.run_it("fix", "--dry-run", "a.cu")[1]
        self.assertEqual(diff, "--- a/a.cu\n+++ b/a.cu\n@@ -1,3 +1,2 @@\n f();\n-redundant();\n g();\n")
        subprocess.run(["patch", "-p1", "-s"], cwd=self.folder, input=diff, text=True, check=True)
        self.assertEqual(self.read("a.cu"), "f();\ng();\n")

    def test_fix_keeps_mode_and_links(self):
        self.write("real.cu", "f();\nredundant();\n")
        os.chmod(os.path.join(self.folder, "real.cu"), 0o750)
        os.symlink("real.cu", os.path.join(self.folder, "link.cu"))
        # The same file under two names is edited once.
        code, _, err = self.run_it("fix", "link.cu", "real.cu")
        self.assertEqual((code, err), (0, "1 edit applied in 1 file\n"))
        self.assertTrue(os.path.islink(os.path.join(self.folder, "link.cu")))
        self.assertEqual(self.read("real.cu"), "f();\n")
        self.assertEqual(stat.S_IMODE(os.stat(os.path.join(self.folder, "real.cu")).st_mode), 0o750)

    def test_allowed_findings_are_not_fixed(self):
        text = "redundant();  // NOLINT(syncsniff-redundant-sync)\n"
        self.write("a.cu", text)
        self.assertEqual(self.run_it("fix", "a.cu"), (0, "", "no edit to make\n"))
        self.assertEqual(self.read("a.cu"), text)

    def test_fix_with_units_that_failed(self):
        self.write("a.cu", "redundant();\n")
        self.write("b.cu", "// failed\n")
        code, _, err = self.run_it("fix", "a.cu", "b.cu")
        self.assertEqual(code, 0)
        self.assertEqual(err.splitlines()[-1],
                         "1 edit applied in 1 file; 1 unit failed: not all of the program was checked")
        self.assertEqual(self.run_it("fix", "b.cu")[0], 2)

    def test_the_same_advice_is_said_in_full_once(self):
        self.write("a.cu", "wait();\nwait();\n")
        out = self.run_it("fix", "a.cu", "a.cu")[1]
        self.assertEqual(out, "a.cu:1:1: manual fix: move it out of the loop [sync-in-loop]\n"
                              "a.cu:2:1: manual fix: same as at a.cu:1:1 [sync-in-loop]\n")
        notes = [line for line in self.run_it("check", "a.cu")[1].splitlines() if "note:" in line]
        self.assertEqual(notes, ["a.cu:1:1: note: fix: move it out of the loop", "a.cu:2:1: note: fix: same as at a.cu:1:1"])

    def test_sarif_and_github(self):
        self.write("a.cu", "  redundant();\n")
        log = json.loads(self.run_it("check", "--format=sarif", "a.cu")[1])
        region = log["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0]["replacements"][0]["deletedRegion"]
        self.assertEqual(region, {"startLine": 1, "startColumn": 1, "endLine": 2, "endColumn": 1})
        root = log["runs"][0]["originalUriBaseIds"]["SRCROOT"]["uri"]
        self.assertEqual(root, "file://" + os.path.realpath(self.folder) + "/")
        self.assertEqual(self.run_it("check", "--format=github", "a.cu")[1],
                         "::warning file=a.cu,line=1,col=3,endColumn=14,title=syncsniff redundant-sync (high)"
                         "::redundant(); stalls%0Afix: delete it\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
