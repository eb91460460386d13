"""Reports, exported fixes and unused allow comments of real findings.

usage: check_formats.py PROGRAM    (syncsniff-analyzer, or the driver)
"""
import json
import os
import shutil
import subprocess
import sys
import unittest

from check_adoption import LOSS, MAIN, MORE, WAITING, Git, Program

ALLOW = "  // syncsniff: allow(sync-in-loop) the plot needs it"
REDUNDANT = LOSS.replace("    cudaDeviceSynchronize();\n", "    cudaDeviceSynchronize();\n    cudaDeviceSynchronize();\n")


def in_place_of(text, old, new):
    assert old in text
    return text.replace(old, new)


class Formats(Program):
    def gitlab(self, *words, below=""):
        issues = json.loads(self.check("--format=gitlab", *words, below=below)[1])
        return [(issue["check_name"], issue["location"]["path"], issue["location"]["lines"]["begin"], issue["fingerprint"])
                for issue in issues]

    def test_several_reports_say_the_same(self):
        self.write("more.cu", WAITING)
        code, out, err = self.check("--format=concise", "--format=gitlab:q.json", "--format=rdjson:r.json",
                                    "--format=junit:j.xml", "--format=sarif:s.sarif", "--format=json:f.json")
        self.assertEqual(code, 1, err)
        self.assertRegex(out, r"^loss\.h:10:5: high: [^\n]* \(and by 1 more call\) \[sync-in-loop\]\n$")
        with open(self.path("q.json"), encoding="utf-8") as file:
            self.assertEqual(len(json.load(file)), 1)
        with open(self.path("r.json"), encoding="utf-8") as file:
            self.assertEqual(len(json.load(file)["diagnostics"]), 1)
        with open(self.path("s.sarif"), encoding="utf-8") as file:
            results = json.load(file)["runs"][0]["results"]
        self.assertEqual([len(result["partialFingerprints"]) for result in results], [1, 1])
        with open(self.path("j.xml"), encoding="utf-8") as file:
            self.assertIn('tests="3" failures="1" errors="0"', file.read())

    def test_gitlabs_fingerprint_stays_when_callers_come_and_lines_move(self):
        os.mkdir(self.path(".git"))
        before = self.gitlab()
        self.assertEqual([issue[:3] for issue in before], [("sync-in-loop", "loss.h", 10)])
        self.write("more.cu", WAITING)
        self.assertEqual(self.gitlab(), before)
        self.write("main.cu", in_place_of(MAIN, "    loss.value();\n", ""))
        self.assertEqual(self.gitlab(), before)
        self.write("loss.h", in_place_of(LOSS, "#pragma once\n", "#pragma once\n\n\n"))
        self.assertEqual([issue[3] for issue in self.gitlab()], [issue[3] for issue in before])
        self.assertEqual([issue[1] for issue in self.gitlab("-p", "../build", below=".cache")], ["loss.h"])

    def test_gitlabs_fingerprints_of_lines_with_one_text_differ(self):
        self.write("loss.h", in_place_of(LOSS, "    sum<<<1, 1>>>(x, out);\n",
                                         "    sum<<<1, 1>>>(x, out);\n    cudaDeviceSynchronize();\n"))
        issues = self.gitlab()
        self.assertEqual([issue[2] for issue in issues], [10, 12])
        self.assertNotEqual(issues[0][3], issues[1][3])


class Fixes(Program):
    def test_clang_applies_exported_fixes_as_fix_does(self):
        self.write("loss.h", REDUNDANT)
        code, _, err = self.fix("--export-fixes=fixes/f.yaml")
        self.assertEqual((code, err.splitlines()[-1][:25]), (2, "syncsniff: error: fixes/f"), "there is no folder yet")
        os.mkdir(self.path("fixes"))
        code, out, err = self.fix("--export-fixes=fixes/f.yaml")
        self.assertEqual(code, 1)
        self.assertIn("1 edit exported for 1 file", err)
        self.assertEqual(self.read("loss.h"), REDUNDANT)
        tool = shutil.which("clang-apply-replacements-19") or shutil.which("clang-apply-replacements")
        if not tool:
            self.skipTest("clang-apply-replacements is not installed")
        subprocess.run([tool, "fixes"], cwd=self.folder, check=True)
        self.assertEqual(self.read("loss.h"), LOSS)

    def test_check_and_fix(self):
        self.write("loss.h", REDUNDANT)
        code, out, err = self.check("--fix", "--format=concise")
        self.assertEqual([line.rsplit("[")[-1] for line in out.splitlines()], ["sync-in-loop]", "redundant-sync]"])
        self.assertEqual((code, self.read("loss.h")), (1, LOSS), err)
        self.assertIn("loss.h:11:5: fixed: ", err)

    def test_check_and_fix_edit_what_was_named_and_is_new(self):
        self.write("loss.h", REDUNDANT)
        self.assertIn("no edit to make", self.check("--fix", "main.cu")[2])
        self.assertEqual(self.read("loss.h"), REDUNDANT)
        self.check("--format=json:base.json")
        self.assertIn("no edit to make", self.check("--fix", "--baseline=base.json")[2])
        self.assertEqual(self.read("loss.h"), REDUNDANT)
        self.assertIn("1 edit applied in 1 file", self.check("--fix", "loss.h")[2])
        self.assertEqual(self.read("loss.h"), LOSS)

    def fix(self, *words):
        program = os.path.abspath(sys.argv[1])
        done = subprocess.run([program, "fix", *words], cwd=self.folder, capture_output=True, text=True,
                              env=self.environment, timeout=300)
        return done.returncode, done.stdout, done.stderr

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()


class UnusedAllows(Git):
    def unused(self, *words):
        code, _, err = self.check("--report-unused-allows", "--fail-level=never", *words)
        self.assertEqual(code, 0, err)
        return [line.split(": warning: ")[0].rsplit(":", 1)[0] for line in err.splitlines()
                if "silences no finding in this run" in line]

    def test_a_comment_anywhere_on_the_way_is_used(self):
        self.write("more.cu", in_place_of(WAITING, "loss.value();", "loss.value();" + ALLOW))
        self.assertEqual(self.unused(), [])
        self.write("loss.h", in_place_of(LOSS, "Synchronize();", "Synchronize();" + ALLOW))
        self.assertEqual(self.unused(), [], "each of the two silences it")
        after = "    loss.value();\n    train<<<1, 256>>>(x);" + ALLOW + "\n"
        self.write("more.cu", in_place_of(WAITING, "    loss.value();\n", after))
        self.assertEqual(self.unused(), ["more.cu:6"])

    def test_of_files_given_and_of_what_changed(self):
        self.write("more.cu", in_place_of(WAITING, "loss.value();", "0;" + ALLOW))
        self.write("main.cu", in_place_of(MAIN, "  float* x;\n", "  float* x;" + ALLOW + "\n"))
        self.commit()
        self.assertEqual(self.unused(), ["main.cu:5", "more.cu:5"])
        self.assertEqual(self.unused("more.cu"), ["more.cu:5"])
        self.assertEqual(self.unused("./main.cu"), ["main.cu:5"])
        self.assertEqual(self.unused("loss.h"), [])
        self.write("more.cu", in_place_of(WAITING, "loss.value();", "1;" + ALLOW))
        self.assertEqual(self.unused("--diff"), ["more.cu:5"])
        self.assertEqual(self.unused("--staged"), [])
        self.git("add", "-A")
        self.assertEqual(self.unused("--staged"), ["more.cu:5"])

    def test_a_unit_that_could_not_be_read_whole_may_need_a_comment(self):
        self.write("loss.h", in_place_of(LOSS, "Synchronize();", "Synchronize();" + ALLOW))
        self.write("main.cu", "#include \"missing.h\"\n" + MAIN)
        self.write("more.cu", WAITING)
        self.assertEqual(self.unused(), [])
        self.write("more.cu", MORE + "void f(float* x) {\n  train<<<1, 256>>>(x);" + ALLOW + "\n}\n")
        code, _, err = self.check("--fail-unused-allows", "--fail-level=never")
        self.assertEqual(code, 0, err)
        self.assertRegex(err, r"more\.cu:8:\d+: warning: allow\(sync-in-loop\) silences no finding in this run; "
                              "1 unit was not read completely and may need it\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
