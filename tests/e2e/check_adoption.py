"""`check` as a team with old code meets it: a wrapper that waits, old and known callers, and a new one.

usage: check_adoption.py PROGRAM    (syncsniff-analyzer, or the driver)
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv[1])

LOSS = """#pragma once
#include <cuda_runtime.h>
__global__ void sum(const float* x, float* out);
__global__ void train(float* x);
struct Loss {
  const float* x;
  float* out;
  float value() {
    sum<<<1, 256>>>(x, out);
    cudaDeviceSynchronize();
    sum<<<1, 1>>>(x, out);
    return 0;
  }
};
"""
MAIN = """#include "loss.h"
void more(Loss& loss, float* x, int steps);
int main() {
  Loss loss{};
  float* x;
  cudaMalloc(&x, 4096);
  for (int step = 0; step < 1000; ++step) {
    train<<<1, 256>>>(x);
    loss.value();
  }
  more(loss, x, 1000);
}
"""
MORE = """#include "loss.h"
void more(Loss& loss, float* x, int steps) {
  for (int step = 0; step < steps; ++step) {
    train<<<1, 256>>>(x);
  }
}
"""
WAITING = MORE.replace("(x);\n", "(x);\n    loss.value();\n")


class Program(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)
        self.environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(self.folder, ".cache"), HOME=self.folder,
                                GIT_CONFIG_NOSYSTEM="1", GIT_CONFIG_GLOBAL=os.path.join(self.folder, ".gitconfig"))
        for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
            self.environment.pop(name, None)
        self.write("loss.h", LOSS)
        self.write("main.cu", MAIN)
        self.write("more.cu", MORE)
        self.database("main.cu", "more.cu")

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w") as file:
            file.write(text)

    def database(self, *files):
        self.write("build/compile_commands.json", json.dumps([
            {"directory": self.folder, "file": file,
             "arguments": ["nvcc", "-std=c++17", "-I.", "-c", file, "-o", "x.o"]} for file in files]))

    def check(self, *words, below=""):
        done = subprocess.run([PROGRAM, "check", *words], cwd=self.path(below), capture_output=True, text=True,
                              env=self.environment, timeout=300)
        return done.returncode, done.stdout, done.stderr

    def findings(self, *words, below=""):
        """Exit status, and of each finding that counts its rule, its place and its hot call."""
        code, out, err = self.check("--output-format=json", *words, below=below)
        self.assertIn(code, (0, 1), err)
        document = json.loads(out)
        self.assertEqual([unit["why"] for unit in document["units"] if unit["status"] != "analysed"], [], err)

        def at(location):
            return f"{location['file']}:{location['line']}" if location else ""
        return code, sorted((f["rule"], at(f["location"]), at(f.get("hotCall")))
                            for f in document["findings"] if not f["allowed"])

    def baseline(self):
        code, _, err = self.check("--output-format=json", "-o", "base.json")
        self.assertEqual(code, 1, err)
        code, out, err = self.check("--baseline=base.json")
        self.assertEqual((code, out), (0, ""), err)

    def refused(self, *parts):
        code, out, err = self.check("--baseline=base.json")
        self.assertEqual(code, 1, err)
        for part in parts:
            self.assertIn(part, out)
        return out


class Callers(Program):
    def test_each_hot_call_of_a_wrapper_is_a_finding_and_the_text_has_one_entry(self):
        self.write("more.cu", WAITING)
        self.assertEqual(self.findings(), (1, [("sync-in-loop", "loss.h:10", "main.cu:9"),
                                               ("sync-in-loop", "loss.h:10", "more.cu:5")]))
        code, out, err = self.check()
        self.assertEqual(out.count("[sync-in-loop]"), 1, out)
        self.assertIn("(and by 1 more call)", out)
        self.assertIn("more.cu:5:5: note: also by this call in 'more' (high)", out)
        self.assertIn("2 findings in 1 file", err)
        self.assertEqual(len(json.loads(self.check("--output-format=sarif")[1])["runs"][0]["results"]), 2)
        self.assertEqual(self.check("--output-format=github")[1].count("::warning file=loss.h,line=10"), 2)

    def test_a_new_call_in_another_file_is_not_in_the_baseline(self):
        self.baseline()
        self.write("more.cu", WAITING)
        out = self.refused("loss.h:10:5: warning", "more.cu:5:5: note: calls 'Loss::value'")
        self.assertNotIn("main.cu", out)

    def test_a_second_call_in_the_same_loop_is_not_in_the_baseline(self):
        self.baseline()
        self.write("main.cu", MAIN.replace("    loss.value();\n", "    loss.value();\n    loss.value();\n"))
        self.refused("loss.h:10:5: warning")

    def test_a_call_further_down_than_the_loop_is_not_in_the_baseline(self):
        step = MAIN.replace("int main", "void one_step(Loss& loss) {\n  loss.value();\n}\nint main").replace(
            "    loss.value();", "    one_step(loss);")
        self.write("main.cu", step)
        self.baseline()
        self.write("main.cu", step.replace("  loss.value();\n", "  loss.value();\n  if (loss.x) loss.value();\n"))
        self.refused("loss.h:10:5: warning", "main.cu:5:")

    def test_a_new_callback_is_not_in_the_baseline(self):
        callback = ('#include "loss.h"\nextern "C" void on_%s(Loss* loss, float* x) {\n'
                    '  train<<<1, 256>>>(x);\n  loss->value();\n}\n')
        self.write("main.cu", callback % "batch")
        self.database("main.cu", "more.cu")
        self.baseline()
        self.write("more.cu", callback % "epoch")
        self.refused("'on_epoch' has no caller here")

    def test_what_else_changes_makes_no_old_finding_new(self):
        self.write("more.cu", WAITING)
        self.baseline()
        before = json.loads(self.check("--output-format=json")[1])["findings"]
        # Lines move, a file gets another name, a caller goes, an unrelated one comes, a loop is put around all of it.
        self.write("a-new-name.cu", "// a line\n\n" + WAITING)
        self.database("a-new-name.cu", "main.cu")
        self.write("main.cu", MAIN.replace("  more(loss", "  for (int run = 0; run < 2; ++run) more(loss").replace(
            "  cudaMalloc", "  loss.value();\n  cudaMalloc"))
        self.assertEqual(self.check("--baseline=base.json")[:2], (0, ""))
        self.write("main.cu", MAIN.replace("    loss.value();\n", ""))
        self.assertEqual(self.check("--baseline=base.json")[:2], (0, ""))
        after = json.loads(self.check("--output-format=json")[1])["findings"]
        self.assertEqual(len(after), 1)
        self.assertIn(after[0]["fingerprint"], [finding["fingerprint"] for finding in before])

    def test_a_comment_on_one_caller_silences_that_caller(self):
        allow = "  // syncsniff: allow(sync-in-loop) the plot needs it"
        self.write("more.cu", WAITING.replace("loss.value();", "loss.value();" + allow))
        self.assertEqual(self.findings(), (1, [("sync-in-loop", "loss.h:10", "main.cu:9")]))
        self.write("main.cu", MAIN.replace("loss.value();", "loss.value();" + allow))
        self.assertEqual(self.findings(), (0, []))
        self.write("more.cu", WAITING)
        self.assertEqual(self.findings(), (1, [("sync-in-loop", "loss.h:10", "more.cu:5")]))
        self.write("loss.h", LOSS.replace("Synchronize();", "Synchronize();" + allow))
        self.assertEqual(self.findings(), (0, []))

    def test_what_is_allowed_lets_no_new_call_into_the_baseline(self):
        allow = "  // syncsniff: allow(sync-in-loop) known"
        self.write("more.cu", WAITING.replace("loss.value();", "loss.value();" + allow))
        self.baseline()
        self.write("more.cu", WAITING)
        self.refused("more.cu:5")


class Files(Program):
    def test_a_header_that_was_not_named_does_not_fail_the_run(self):
        self.assertEqual(self.findings("more.cu"), (0, []))
        self.assertEqual(self.findings("main.cu"), (1, [("sync-in-loop", "loss.h:10", "main.cu:9")]))
        self.assertEqual(self.findings("loss.h"), (1, [("sync-in-loop", "loss.h:10", "main.cu:9")]))

    def test_of_a_header_that_was_not_named_only_what_the_file_calls_counts(self):
        self.write("more.cu", WAITING)
        self.assertEqual(self.findings("more.cu"), (1, [("sync-in-loop", "loss.h:10", "more.cu:5")]))


if __name__ == "__main__":
    sys.argv[1:] = sys.argv[2:]
    unittest.main()
