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


CALLBACKS = {kind: """#include <cuda_runtime.h>
#include <functional>
#include <memory>
#include <vector>
__global__ void train(float* x);
void other(int);
""" + program + """  for (int step = 0; step < 1000; ++step) {
    train<<<1, 256>>>(x);
    for (auto& hook : hooks) %s;
  }
}
""" % call for kind, program, call in (
    ("virtual", """struct Hook { virtual void run(int) = 0; };
struct Report : Hook { void run(int) override {
  cudaDeviceSynchronize();
} };
struct Save : Hook { void run(int) override {
  cudaStreamSynchronize(0);
} };
void loop(float* x) {
  std::vector<std::unique_ptr<Hook>> hooks;
  hooks.push_back(std::make_unique<Report>());
  hooks.push_back(std::make_unique<Save>());
""", "hook->run(step)"),
    ("pointers", """void report(int) {
  cudaDeviceSynchronize();
}
void save(int) {
  cudaStreamSynchronize(0);
}
void (*hooks[])(int) = {report, save};
void loop(float* x) {
""", "hook(step)"),
    ("lambdas", """void loop(float* x) {
  std::vector<std::function<void(int)>> hooks;
  hooks.push_back([](int) {
    cudaDeviceSynchronize();
  });
  hooks.push_back([](int) {
    cudaStreamSynchronize(0);
  });
""", "hook(step)"))}


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
        code, out, err = self.check("--format=json", *words, below=below)
        self.assertIn(code, (0, 1), err)
        document = json.loads(out)
        self.assertEqual([unit["why"] for unit in document["units"] if unit["status"] != "analysed"], [], err)

        def at(location):
            return f"{location['file']}:{location['line']}" if location else ""
        return code, sorted((f["rule"], at(f["location"]), at(f.get("hotCall")))
                            for f in document["findings"] if not f["allowed"])

    def baseline(self):
        code, _, err = self.check("--format=json", "-o", "base.json")
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
        self.assertIn("more.cu:5:5: note: also reached by this call in 'more' (high)", out)
        self.assertIn("1 finding (2 hot calls) in 1 file (1 high)", err)
        self.assertEqual(self.check("--why-not=loss.h:10")[1].count("loss.h:10:5: warning: "), 1)
        self.assertEqual(len(json.loads(self.check("--format=sarif")[1])["runs"][0]["results"]), 2)
        annotations = self.check("--format=github")[1]
        self.assertEqual(annotations.count("::warning file=loss.h,line=10"), 1)
        self.assertIn("(and by 1 more call)", annotations)

    def test_a_report_lists_some_of_many_hot_calls_and_its_baseline_knows_all(self):
        def calls(count):
            self.write("main.cu", MAIN.replace("    loss.value();\n", "    loss.value();\n" * count))
        calls(70)
        code, out, err = self.check("--format=json", "-o", "base.json")
        with open(self.path("base.json"), encoding="utf-8") as file:
            listed = json.load(file)["findings"]
        self.assertEqual((code, len(listed), listed[-1]["callsLeftOut"]), (1, 64, 6), err)
        self.assertIn("1 finding (70 hot calls)", err)
        results = json.loads(self.check("--format=sarif")[1])["runs"][0]["results"]
        self.assertEqual(len(results), 16)
        self.assertEqual(len({r["partialFingerprints"]["syncsniff/v1"] for r in results}), 16)
        self.assertIn("(and by 54 more calls)", results[-1]["message"]["text"])
        self.assertEqual(self.check("--baseline=base.json")[:2], (0, ""))
        calls(71)
        self.refused("loss.h:10:5: warning")

    def test_one_more_of_hundreds_of_hot_calls_is_not_in_the_baseline(self):
        def calls(count):
            self.write("main.cu", MAIN.replace("    loss.value();\n", "    loss.value();\n" * count))
        calls(400)
        self.assertEqual(self.check("--format=json", "-o", "base.json")[0], 1)
        self.assertEqual(self.check("--baseline=base.json")[:2], (0, ""))
        calls(401)
        self.refused("loss.h:10:5: warning")

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
        self.refused("'on_epoch' is called from outside the checked code")

    def test_a_second_callback_that_waits_is_another_finding(self):
        first, second = "'cudaDeviceSynchronize' is called here", "'cudaStreamSynchronize' is called here"
        for kind, program in CALLBACKS.items():
            with self.subTest(kind):
                self.write("main.cu", program.replace("cudaStreamSynchronize(0)", "other(0)"))
                self.database("main.cu")
                self.baseline()
                self.write("main.cu", program)
                self.assertNotIn(first, self.refused(second))
                out = self.check()[1]
                self.assertTrue(first in out and second + ", too" in out, out)
                self.write("main.cu", program.replace("Synchronize();", "Synchronize();  // syncsniff: allow(sync-in-loop) x"))
                code, out, _ = self.check()
                self.assertEqual(code, 1)
                self.assertTrue(first not in out and second in out, out)

    def test_a_second_callback_with_the_same_text_is_not_in_the_baseline(self):
        hook = "  hooks.push_back([&loss](int) {\n    loss.value();\n  });\n"
        program = ('#include <functional>\n#include <vector>\n#include "loss.h"\nvoid loop(Loss& loss, float* x) {\n'
                   "  std::vector<std::function<void(int)>> hooks;\n%s"
                   "  for (int step = 0; step < 1000; ++step) {\n    train<<<1, 256>>>(x);\n"
                   "    for (auto& hook : hooks) hook(step);\n  }\n}\n")
        self.write("more.cu", program % hook)
        self.baseline()
        self.write("more.cu", program % (hook * 2))
        self.refused("loss.h:10:5: warning", "more.cu:10:5: note: calls 'Loss::value'")

    def test_an_allowed_call_above_an_old_one_leaves_it_in_the_baseline(self):
        loop = "  for (int step = 0; step < 500; ++step) {\n    train<<<1, 256>>>(x);\n    loss.value();%s\n  }\n"
        allow = "  // syncsniff: allow(sync-in-loop) the plot needs it"
        added = MAIN.replace("  for (int", loop % allow + "  for (int", 1)
        for first, then in ((MAIN, added), (added, MAIN)):
            self.write("main.cu", first)
            self.baseline()
            self.write("main.cu", then)
            self.assertEqual(self.check("--baseline=base.json")[:2], (0, ""))
        self.write("main.cu", added.replace(allow, ""))
        self.refused("loss.h:10:5: warning")

    def test_a_second_call_on_an_old_line_is_not_in_the_baseline(self):
        sum_of = MAIN.replace("    loss.value();\n", "    float a = %s;\n")
        once, twice = sum_of % "loss.value()", sum_of % "loss.value() + loss.value()"
        self.write("main.cu", once)
        self.baseline()
        self.write("main.cu", twice)
        self.refused("loss.h:10:5: warning")
        self.baseline()
        self.write("main.cu", once)
        self.assertEqual(self.check("--baseline=base.json")[:2], (0, ""))

    def test_what_has_become_worse_is_not_in_the_baseline(self):
        gated = MAIN.replace("    loss.value();", "    if (step % 100 == 0) loss.value();")
        self.write("main.cu", gated)
        self.baseline()
        self.write("main.cu", gated.replace("% 100", "% 50"))
        self.assertEqual(self.check("--baseline=base.json")[:2], (0, ""))
        self.write("main.cu", MAIN)
        self.refused("loss.h:10:5: warning")

    def test_lines_that_move_make_no_finding_in_a_lambda_new(self):
        threaded = ('#include <thread>\n#include "loss.h"\nvoid work(Loss& loss, float* x) {\n'
                    "  std::thread worker([&] {\n    for (int i = 0; i < 1000; ++i) {\n      train<<<1, 256>>>(x);\n"
                    "      cudaDeviceSynchronize();\n    }\n  });\n  worker.join();\n}\n")
        self.write("more.cu", threaded)
        self.database("more.cu")
        self.baseline()
        self.write("more.cu", "// a line\n" + threaded)
        self.assertEqual(self.check("--baseline=base.json")[:2], (0, ""))

    def test_what_else_changes_makes_no_old_finding_new(self):
        self.write("more.cu", WAITING)
        self.baseline()
        before = json.loads(self.check("--format=json")[1])["findings"]
        # Lines move, a file gets another name, a caller goes, an unrelated one comes, a loop is put around all of it.
        self.write("a-new-name.cu", "// a line\n\n" + WAITING)
        self.database("a-new-name.cu", "main.cu")
        self.write("main.cu", MAIN.replace("  more(loss", "  for (int run = 0; run < 2; ++run) more(loss").replace(
            "  cudaMalloc", "  loss.value();\n  cudaMalloc"))
        self.assertEqual(self.check("--baseline=base.json")[:2], (0, ""))
        self.write("main.cu", MAIN.replace("    loss.value();\n", ""))
        self.assertEqual(self.check("--baseline=base.json")[:2], (0, ""))
        after = json.loads(self.check("--format=json")[1])["findings"]
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


class Git(Program):
    def setUp(self):
        super().setUp()
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.name", "tester")
        self.git("config", "user.email", "tester@example.invalid")
        self.write(".gitignore", "/build/\n/.cache/\n/.gitconfig\n*.json\n")

    def git(self, *words, below=""):
        done = subprocess.run(["git", *words], cwd=self.path(below), capture_output=True, text=True,
                              env=self.environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip()

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "a commit")

    NEW = (1, [("sync-in-loop", "loss.h:10", "more.cu:5")])
    NONE = (0, [])


class Diff(Git):
    def test_a_new_call_counts_with_its_path_and_the_old_one_does_not(self):
        self.commit()
        self.assertEqual(self.findings("--diff"), self.NONE)
        self.assertEqual(self.check("--diff"), (0, "", "no findings: no line of code has changed\n"))
        self.write("more.cu", WAITING)
        self.assertEqual(self.findings("--diff"), self.NEW)
        code, out, err = self.check("--diff")
        self.assertEqual(code, 1)
        self.assertIn("more.cu:3:3: note: this loop in 'more' launches GPU work", out)
        self.assertIn("more.cu:5:5: note: calls 'Loss::value'", out)
        self.assertNotIn("main.cu", out)
        self.assertEqual(self.findings("--diff", "main.cu"), self.NONE, "of the files given")
        self.assertEqual(self.findings("--diff", "more.cu"), self.NEW)

    def test_a_revision_without_its_sign_is_no_file(self):
        self.commit()
        for words in (("--diff", "HEAD"), ("--diff", "main"), ("--staged", "HEAD")):
            code, _, err = self.check(*words)
            self.assertEqual(code, 2)
            self.assertIn(f"{words[1]}: no such file", err)
        self.assertIn("a revision is written --diff=REV", self.check("--diff", "HEAD")[2])
        self.assertIn("there is no revision behind '='", self.check("--diff=", "-q")[2])

    def test_a_line_that_is_only_taken_away(self):
        rare = WAITING.replace("    loss", "    if (step % 100 == 0)\n      loss")
        self.write("more.cu", rare)
        self.commit()
        self.write("more.cu", rare.replace("    if (step % 100 == 0)\n", ""))
        new = (1, [("sync-in-loop", "loss.h:10", "more.cu:5")])
        self.assertEqual(self.findings("--diff"), new)
        self.git("add", "more.cu")
        self.assertEqual(self.findings("--staged"), new)
        self.assertIn("more.cu:4:1: note: changed here", self.check("--staged")[1])

    def test_what_a_block_allowed_counts_when_the_block_goes(self):
        begin, end = "// NOLINTBEGIN(syncsniff-*)\n", "// NOLINTEND(syncsniff-*)\n"
        self.write("main.cu", MAIN.replace("int main", begin + "int main") + end)
        self.commit()
        self.assertEqual(self.findings("--diff"), self.NONE)
        self.write("main.cu", MAIN)
        self.assertEqual(self.findings("--diff"), (1, [("sync-in-loop", "loss.h:10", "main.cu:9")]))

    def test_a_line_between_a_comment_and_the_call_that_it_allowed(self):
        allowed = WAITING.replace("    loss", "    // NOLINTNEXTLINE(syncsniff-*)\n    loss")
        self.write("more.cu", allowed)
        self.commit()
        self.write("more.cu", allowed.replace("    loss", "    ++steps;\n    loss"))
        self.git("add", "more.cu")
        new = (1, [("sync-in-loop", "loss.h:10", "more.cu:7")])
        self.assertEqual(self.findings("--diff"), new)
        self.assertEqual(self.findings("--staged"), new)

    def test_a_copy_above_an_old_line_is_the_new_one(self):
        self.write("more.cu", WAITING)
        self.commit()
        self.write("more.cu", WAITING.replace("    train<<<", "    loss.value();\n    train<<<"))
        self.assertEqual(self.findings("--diff"), (1, [("sync-in-loop", "loss.h:10", "more.cu:4")]))
        self.git("stash", "-q")
        self.check("--format=json", "-o", "base.json")
        self.git("stash", "pop", "-q")
        self.git("add", "-A")
        self.assertEqual(self.findings("--staged", "--baseline=base.json"),
                         (1, [("sync-in-loop", "loss.h:10", "more.cu:4")]))

    def test_a_file_that_git_calls_binary(self):
        self.write(".gitattributes", "*.cu -diff\n")
        self.commit()
        self.write("more.cu", WAITING)
        self.assertEqual(self.findings("--diff"), self.NEW)
        self.git("add", "more.cu")
        self.assertEqual(self.findings("--staged"), self.NEW)

    def test_a_header_that_has_moved_makes_nothing_new(self):
        self.write("include/loss.h", LOSS)
        for name, text in (("main.cu", MAIN), ("more.cu", WAITING)):
            self.write("src/" + name, text.replace('"loss.h"', '"../include/loss.h"'))
        self.database("src/main.cu", "src/more.cu")
        self.commit()
        self.git("mv", "include", "inc")
        for name, text in (("main.cu", MAIN), ("more.cu", WAITING)):
            self.write("src/" + name, text.replace('"loss.h"', '"../inc/loss.h"'))
        self.git("add", "-A")
        self.assertEqual(self.findings("--staged"), self.NONE)

    def test_a_unit_that_has_moved_makes_nothing_new(self):
        self.write("src/more.cu", WAITING.replace('"loss.h"', '"../loss.h"'))
        self.commit()
        self.write("src/gpu/x", "")
        self.git("mv", "src/more.cu", "src/gpu/more.cu")
        self.write("src/gpu/more.cu", WAITING.replace('"loss.h"', '"../../loss.h"'))
        self.database("main.cu", "src/gpu/more.cu")
        self.git("add", "-A")
        self.assertEqual(self.findings("--staged"), self.NONE)

    def test_a_unit_that_was_only_moved_is_read_where_it_is(self):
        wait = "void hold();\n"
        self.write("hold.cu", "#include <cuda_runtime.h>\nvoid hold() { cudaDeviceSynchronize(); }\n")
        self.database("main.cu", "more.cu", "hold.cu")
        self.write("more.cu", wait + MORE)
        self.commit()
        self.git("mv", "hold.cu", "kept.cu")
        self.write("more.cu", wait + WAITING.replace("loss.value()", "hold()"))
        self.git("add", "-A")
        code, out, err = self.check("--staged", "--format=concise")
        self.assertIn("more.cu:6:5: high", out, err)
        self.assertIn("hold.cu: not analysed", err, "the database is to be made again")

    def test_breaking_a_line_makes_nothing_new(self):
        call = "    cudaMemcpy(&v, x, sizeof v, cudaMemcpyDeviceToHost);\n"
        code = MAIN.replace("    loss.value();\n", "    float v;\n" + call)
        self.write("main.cu", code)
        self.check("--format=json", "-o", "base.json")
        self.write("main.cu", code.replace("cudaMemcpy(&v, x,", "cudaMemcpy(\n        &v, x,\n        "))
        self.assertEqual(self.check("--baseline=base.json")[:2], (0, ""))

    def test_a_header_that_was_forgotten_makes_nothing_new(self):
        self.write("hold.cu", "#include <cuda_runtime.h>\nvoid hold() { cudaDeviceSynchronize(); }\n")
        self.write("more.cu", '#include "hold.h"\n' + MORE.replace("(x);\n", "(x);\n    hold();\n"))
        self.database("main.cu", "more.cu", "hold.cu")
        self.commit()
        self.write("hold.h", "#pragma once\nvoid hold();\n")
        self.git("add", "hold.h")
        self.assertEqual(self.findings("--staged"), self.NONE)

    def test_without_a_database_the_repository_is_read(self):
        self.commit()
        os.remove(self.path("build/compile_commands.json"))
        self.write("more.cu", WAITING)
        self.git("add", "more.cu")
        self.assertEqual(self.findings("--staged"), self.NEW)

    def changed(self, before, after):
        """What --diff finds once more.cu, read alone, is no longer `before` but `after`."""
        head = '#include <vector>\n#include "loss.h"\nusing Call = void (*)(float*);\n'
        self.database("more.cu")
        self.write("more.cu", head + before)
        self.commit()
        self.write("more.cu", head + after)
        found = self.findings("--diff")
        self.git("checkout", "-q", "--", "more.cu")
        return found

    def test_a_launch_that_makes_an_old_wait_hot(self):
        loop = "void wait(float* x) {\n  for (int i = 0; i < 1000; ++i) {\n    cudaDeviceSynchronize();\n%s  }\n}\n"
        launch = "    train<<<1, 256>>>(x);\n"
        self.assertEqual(self.changed(loop % "", loop % launch), (1, [("sync-in-loop", "more.cu:6", "")]))
        # There was a launch already.
        self.assertEqual(self.changed(loop % launch, loop % (launch + launch)), self.NONE)

    def test_a_function_that_an_old_loop_is_handed(self):
        code = ("void launch(float* x) { train<<<1, 256>>>(x); }\nvoid host(float* x) {}\n"
                "void repeat(float* x, Call call) {\n  for (int i = 0; i < 1000; ++i) {\n    call(x);\n"
                "    cudaDeviceSynchronize();\n  }\n}\nvoid run(float* x) {\n  repeat(x, host);\n%s}\n")
        self.assertEqual(self.changed(code % "", code % "  repeat(x, launch);\n"),
                         (1, [("sync-in-loop", "more.cu:9", "")]))

    def test_a_callback_that_an_old_loop_runs(self):
        code = ("std::vector<Call> calls;\nvoid wait(float* x) { cudaDeviceSynchronize(); }\n"
                "void nothing(float* x) {}\nvoid run(float* x) {\n  calls.push_back(nothing);\n%s"
                "  for (int i = 0; i < 1000; ++i) {\n    train<<<1, 256>>>(x);\n"
                "    for (Call call : calls) call(x);\n  }\n}\n")
        found = self.changed(code % "", code % "  calls.push_back(wait);\n")
        self.assertEqual(found[0], 1)
        self.assertEqual([rule for rule, *_ in found[1]], ["sync-in-loop"])

    def test_a_constant_that_makes_a_rare_wait_a_frequent_one(self):
        code = ("constexpr int kEvery = %d;\nvoid run(float* x) {\n  for (int i = 0; i < 10000; ++i) {\n"
                "    train<<<1, 256>>>(x);\n    if (i %% kEvery == 0) cudaDeviceSynchronize();\n  }\n}\n")
        self.assertEqual(self.changed(code % 100, code % 1), (1, [("sync-in-loop", "more.cu:8", "")]))
        self.assertEqual(self.changed(code % 100, code % 200), self.NONE)
        self.assertEqual(self.changed(code % 1, code % 100), self.NONE)

    def test_an_override_that_launches_in_an_old_loop(self):
        code = ("struct Layer {\n  virtual void run(float* x) {}\n};\n%svoid train_with(Layer& layer, float* x) {\n"
                "  for (int i = 0; i < 1000; ++i) {\n    layer.run(x);\n    cudaDeviceSynchronize();\n  }\n}\n")
        added = "struct Dense : Layer {\n  void run(float* x) override { train<<<1, 256>>>(x); }\n};\n"
        self.assertEqual(self.changed(code % "", code % added), (1, [("sync-in-loop", "more.cu:13", "")]))

    def test_an_instance_of_an_old_template(self):
        code = ("template <class Step>\nvoid repeat(float* x, Step step) {\n  for (int i = 0; i < 1000; ++i) {\n"
                "    step(x);\n    cudaDeviceSynchronize();\n  }\n}\nstruct Nothing { void operator()(float*) const {} };\n"
                "struct Train { void operator()(float* x) const { train<<<1, 256>>>(x); } };\n"
                "void run(float* x) { repeat(x, %s{}); }\n")
        self.assertEqual(self.changed(code % "Nothing", code % "Train"), (1, [("sync-in-loop", "more.cu:8", "")]))

    def test_where_the_state_before_cannot_be_read_changed_lines_decide(self):
        broken = "#include \"no_such_file.h\"\nvoid run(float* x) {\n"
        loop = "  for (int i = 0; i < 1000; ++i) {\n    train<<<1, 256>>>(x);\n    cudaDeviceSynchronize();\n  }\n"
        self.assertEqual(self.changed(broken + loop, "void run(float* x) {\n" + loop + "}\n"), self.NONE)

    def test_lines_beside_an_old_stall_do_not_count(self):
        self.commit()
        self.write("main.cu", MAIN.replace("int main", "// a comment\n\nint main").replace("1000);", "999);"))
        self.write("loss.h", LOSS.replace("    return 0;", "    // as it was\n    return 0;"))
        self.assertEqual(self.findings("--diff"), self.NONE)

    def test_the_wait_itself_counts_for_all_that_call_it(self):
        self.write("loss.h", LOSS.replace("    cudaDeviceSynchronize();\n", ""))
        self.write("more.cu", WAITING)
        self.commit()
        self.write("loss.h", LOSS)
        self.assertEqual(len(self.findings("--diff")[1]), 2)

    def test_since_a_revision_and_not_what_the_other_branch_has_got(self):
        self.commit()
        self.git("checkout", "-q", "-b", "work")
        self.write("more.cu", WAITING)
        self.commit()
        self.assertEqual(self.findings("--diff"), self.NONE)
        self.assertEqual(self.findings("--diff=HEAD~1"), self.NEW)
        self.assertEqual(self.findings("--diff=main"), self.NEW)
        self.git("checkout", "-q", "main")
        self.write("main.cu", MAIN.replace("    loss.value();\n", "\n"))
        self.commit()
        self.git("checkout", "-q", "work")
        self.assertEqual(self.findings("--diff=main"), self.NEW)

    def test_no_commit_yet_and_files_that_git_does_not_know(self):
        self.assertEqual(len(self.findings("--diff")[1]), 1)
        self.git("add", "-A")
        self.assertEqual(len(self.findings("--diff")[1]), 1)
        self.assertEqual(len(self.findings("--staged")[1]), 1)
        self.commit()
        self.write("new.cu", WAITING.replace("more", "newer"))
        self.assertEqual(self.findings("--diff"), (1, [("sync-in-loop", "loss.h:10", "new.cu:5")]),
                         "it is in no compile database yet")
        self.assertEqual(self.findings("--staged"), self.NONE)

    def test_renames_and_deletions(self):
        self.write("more.cu", WAITING)
        self.commit()
        self.git("mv", "more.cu", "another.cu")
        self.database("main.cu", "another.cu")
        self.assertEqual(self.findings("--diff"), self.NONE)
        self.write("another.cu", WAITING.replace("    loss.value();\n", "    loss.value();\n    loss.value();\n"))
        self.assertEqual(self.findings("--diff"), (1, [("sync-in-loop", "loss.h:10", "another.cu:6")]))
        self.git("rm", "-qf", "another.cu")
        self.write("main.cu", MAIN.replace("  more(loss, x, 1000);\n", ""))
        self.database("main.cu")
        self.assertEqual(self.findings("--diff"), self.NONE)

    def test_in_a_folder_below_and_names_that_git_quotes(self):
        for name in ("sub/a file.cu", "sub/\u00e4nderung.cu", "sub/tab\tquote\"back\\slash.cu"):
            with self.subTest(name=name):
                self.write(name, MORE.replace("loss.h", "../loss.h").replace("more", "other"))
                self.database("main.cu", "more.cu", name)
                self.commit()
                self.write(name, WAITING.replace("loss.h", "../loss.h").replace("more", "other"))
                expected = (1, [("sync-in-loop", self.path("loss.h:10"), os.path.basename(name) + ":5")])
                self.assertEqual(self.findings("--diff", below="sub"), expected)
                self.git("add", "-A")
                self.write(name, MORE.replace("loss.h", "../loss.h").replace("more", "other"))
                self.assertEqual(self.findings("--staged", below="sub"), expected)
                self.git("checkout", "-q", "-f", "HEAD", "--", name)
                os.remove(self.path(name))

    def test_a_users_own_settings_of_git_change_nothing(self):
        self.commit()
        self.write("more.cu", WAITING)
        for setting in ("diff.noprefix=true", "diff.mnemonicPrefix=true", "diff.context=5", "color.ui=always",
                        "diff.external=false", "diff.renames=copies", "core.quotePath=true", "diff.relative=true"):
            self.git("config", *setting.split("="))
        self.assertEqual(self.findings("--diff"), self.NEW)
        self.git("add", "-A")
        self.assertEqual(self.findings("--staged"), self.NEW)

    def test_submodules_are_left_out(self):
        self.commit()
        module = self.path("build/module")
        self.git("init", "-q", module)
        self.git("-C", module, "-c", "user.name=t", "-c", "user.email=t@e.invalid", "commit", "-q", "--allow-empty", "-m", "m")
        self.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", module, "module")
        self.git("commit", "-q", "-m", "a module")
        self.git("-C", "module", "-c", "user.name=t", "-c", "user.email=t@e.invalid", "commit", "-q", "--allow-empty", "-m", "n")
        self.write("more.cu", WAITING)
        self.git("add", "-A")
        self.assertEqual(self.findings("--diff"), self.NEW)
        self.assertEqual(self.findings("--staged"), self.NEW)

    def error(self, *words, below=""):
        code, out, err = self.check(*words, below=below)
        self.assertEqual((code, out, err.count("\n")), (2, "", 1), err)
        return err

    def test_what_cannot_be_done_is_said_in_a_line(self):
        self.commit()
        self.assertIn("--diff: git knows no revision 'no-such' here", self.error("--diff=no-such"))
        self.assertIn("git knows no revision '--output=x'", self.error("--diff=--output=x"))
        self.assertFalse(os.path.exists(self.path("x")))
        self.assertIn("--diff", self.error("--diff", "--staged"))
        os.rename(self.path(".git"), self.path("build/hidden"))
        for option in ("--diff", "--staged"):
            self.assertIn("is in no git repository", self.error(option))
        self.environment["PATH"] = "/nowhere"
        self.assertIn("git cannot be started", self.error("--staged"))


class ChangedHeader(Git):
    """Forty units that include one header. At a commit a few of them are read when it changes."""
    # Without CUDA's headers, which take half a second a unit.
    HEADER = ('#pragma once\nextern "C" int cudaDeviceSynchronize();\nextern "C" int cuLaunchKernel(float*);\n'
              "inline void finish(float* x) {\n%s}\nstruct Step {\n  void run(float* x) { cuLaunchKernel(x); }\n};\n")
    WAIT = "  cudaDeviceSynchronize();\n"
    CONSTANT = HEADER % "" + "constexpr int kEvery = %d;\n"

    def setUp(self):
        super().setUp()
        self.names = [f"unit{i}.cpp" for i in range(40)]
        for i, name in enumerate(self.names):
            self.write(name, f'#include "common.h"\nvoid run{i}(float* x) {{\n  for (int i = 0; i < 1000; ++i) {{\n'
                             "    Step().run(x);\n    finish(x);\n  }\n}\n")
        self.database(*self.names)
        self.write("common.h", self.HEADER % "")
        self.assertEqual(self.findings(), self.NONE)
        self.commit()

    def staged(self):
        """Findings at the commit, as --diff tells them, which reads all units; and what --staged says of that."""
        self.git("add", "-A")
        code, out, err = self.check("--staged", "--format=json", "--verbose")
        self.assertIn(code, (0, 1), err)
        found = self.findings("--staged")
        self.assertEqual(found, self.findings("--diff", "--no-cache"))
        return found[1], err

    def test_a_declaration_costs_a_few_units(self):
        self.write("common.h", "struct Unused;\n" + self.HEADER % "")
        found, said = self.staged()
        self.assertEqual(found, [])
        self.assertIn("4 of 40 units to parse", said)
        self.assertIn("note: 36 of 40 units were not read again, though headers of theirs have changed (common.h)", said)
        self.commit()
        self.write("unit7.cpp", "struct Unused;\n")
        _, said = self.staged()
        self.assertIn("1 of 40 units to parse", said, "what was read for the last commit is enough")
        self.assertIn("note: 35 of 40 units were not read again", said)

    def test_a_wait_in_the_header_is_told_at_each_loop(self):
        self.write("common.h", self.HEADER % self.WAIT)
        found, said = self.staged()
        self.assertEqual(len(found), 40, said)
        self.assertIn("36 of 40 units were not read again", said)
        self.assertEqual(len(self.findings()[1]), 40, "what stood in is not remembered")

    def commit_a_rare_wait(self):
        """One unit waits in each hundredth step, by a constant of the header."""
        self.write("common.h", self.CONSTANT % 100)
        self.write("unit7.cpp", '#include "common.h"\nvoid run7(float* x, int n) {\n  for (int i = 0; i < n; ++i) {\n'
                                "    Step().run(x);\n    if (i % kEvery == 0) cudaDeviceSynchronize();\n  }\n}\n")
        self.findings()
        self.commit()

    def test_a_constant_that_few_units_name_is_told_there(self):
        self.commit_a_rare_wait()
        self.write("common.h", self.CONSTANT % 1)
        found, said = self.staged()
        self.assertEqual(found, [("sync-in-loop", "unit7.cpp:5", "")], said)
        self.assertIn("units were not read again", said)

    def test_a_constant_that_was_checked_twice_on_its_way(self):
        self.commit_a_rare_wait()
        for every in (50, 1):
            self.write("common.h", self.CONSTANT % every)
            self.findings()
        found, said = self.staged()
        self.assertEqual(found, [("sync-in-loop", "unit7.cpp:5", "")], said)

    def test_a_comment_costs_nothing(self):
        self.write("common.h", "// a comment\n" + self.HEADER % "")
        self.assertEqual(self.staged(), ([], "no findings: no line of code is staged\n"))

    def test_what_was_tried_and_thrown_away_counts_for_nothing(self):
        self.write("common.h", self.HEADER % self.WAIT)
        self.assertEqual(len(self.findings("--diff")[1]), 40)
        self.git("checkout", "-q", "common.h")
        self.write("common.h", "struct Unused;\n" + self.HEADER % "")
        found, said = self.staged()
        self.assertEqual(found, [], said)
        self.assertIn("36 of 40 units were not read again", said)

    def test_a_new_unit_is_read(self):
        self.write("common.h", "// a comment\n" + self.HEADER % "")
        self.write("new.cpp", '#include "common.h"\nvoid more(float* x) {\n  for (int i = 0; i < 1000; ++i) {\n'
                             "    Step().run(x);\n    cudaDeviceSynchronize();\n  }\n}\n")
        self.database(*self.names, "new.cpp")
        found, _ = self.staged()
        self.assertEqual(found, [("sync-in-loop", "new.cpp:5", "")])


class Staged(Git):
    def test_a_constant_in_a_header(self):
        code = ("#include \"loss.h\"\nvoid more(Loss& loss, float* x, int steps) {\n"
                "  for (int step = 0; step < steps; ++step) {\n    train<<<1, 256>>>(x);\n"
                "    if (step % kEvery == 0) loss.value();\n  }\n}\n")
        self.write("loss.h", LOSS + "constexpr int kEvery = 100;\n")
        self.write("more.cu", code)
        self.commit()
        self.write("loss.h", LOSS + "constexpr int kEvery = 1;\n")
        self.assertEqual(self.findings("--staged"), self.NONE, "not staged yet")
        self.git("add", "loss.h")
        self.write("loss.h", LOSS + "constexpr int kEvery = 50;\n")
        self.assertEqual(self.findings("--staged"), (1, [("sync-in-loop", "loss.h:10", "more.cu:5")]))
        line = LOSS.count("\n") + 1
        self.assertIn(f"loss.h:{line}:1: note: changed here: since the change this finding is new or more severe",
                      self.check("--staged")[1], "what causes it is named")

    def test_what_is_staged_counts_and_not_what_is_not(self):
        self.commit()
        self.write("more.cu", WAITING)
        self.assertEqual(self.findings("--staged"), self.NONE)
        self.assertEqual(self.check("--staged"), (0, "", "no findings: no line of code is staged\n"))
        self.git("add", "more.cu")
        self.assertEqual(self.findings("--staged"), self.NEW)

    def test_a_partly_staged_file_is_judged_by_what_is_staged(self):
        self.commit()
        self.write("more.cu", "// moved\n// down\n" + MORE)
        self.git("add", "more.cu")
        self.write("more.cu", WAITING)  # the stall is not staged
        for words in ((), ("--no-cache",), ()):
            self.assertEqual(self.findings("--staged", *words), self.NONE)
        self.assertEqual(len(self.findings()[1]), 2, "what is staged is not remembered as what is there")
        self.git("add", "more.cu")
        self.write("more.cu", MORE)  # the stall is staged, and mended since
        for words in ((), ("--no-cache",), ()):
            self.assertEqual(self.findings("--staged", *words), self.NEW)
        code, out, err = self.check("--staged")
        self.assertIn("    3 |   for (int step = 0; step < steps; ++step) {", out)
        self.assertEqual(len(self.findings()[1]), 1)
        self.write("more.cu", "// a\n// few\n// lines\n// more\n" + MORE)
        self.assertEqual(self.findings("--staged"), self.NEW)
        self.git("rm", "-q", "--cached", "main.cu")
        os.remove(self.path("more.cu"))  # staged, and gone from the disk
        self.assertEqual(self.findings("--staged"), self.NEW)

    def test_a_partly_staged_header_is_judged_by_what_is_staged(self):
        self.write("loss.h", LOSS.replace("    cudaDeviceSynchronize();\n", ""))
        self.commit()
        self.write("loss.h", LOSS)
        self.git("add", "loss.h")
        self.write("loss.h", LOSS.replace("    cudaDeviceSynchronize();\n", ""))
        self.assertEqual(self.findings("--staged"), (1, [("sync-in-loop", "loss.h:10", "main.cu:9")]))
        self.assertEqual(self.findings(), self.NONE)

    def test_comments_are_those_that_are_staged(self):
        self.commit()
        self.write("more.cu", WAITING)
        self.git("add", "more.cu")
        self.write("more.cu", WAITING.replace("loss.value();", "loss.value();  // syncsniff: allow(sync-in-loop) no"))
        self.assertEqual(self.findings("--staged"), self.NEW)

    def test_with_a_baseline(self):
        self.baseline()
        self.git("add", "-A")
        code, out, err = self.check("--staged", "--baseline=base.json")
        self.assertEqual((code, out), (0, ""), err)
        self.commit()
        self.write("more.cu", WAITING)
        self.git("add", "more.cu")
        self.write("more.cu", MORE)
        code, out, err = self.check("--staged", "--baseline=base.json")
        self.assertEqual(code, 1, err)
        self.assertIn("more.cu:5:5: note: calls 'Loss::value'", out)

    def test_a_sparse_checkout_is_read_from_the_index(self):
        wait = "void hold();\n"
        self.write("hold.cu", "#include <cuda_runtime.h>\nvoid hold() { cudaDeviceSynchronize(); }\n")
        self.database("main.cu", "more.cu", "hold.cu")
        self.commit()
        self.git("update-index", "--skip-worktree", "hold.cu")
        os.remove(self.path("hold.cu"))
        self.write("more.cu", wait + MORE.replace("(x);\n", "(x);\n    hold();\n"))
        self.git("add", "more.cu")
        self.assertEqual(self.findings("--staged"), (1, [("sync-in-loop", "more.cu:6", "")]))

    def test_what_git_add_n_names_is_not_staged(self):
        self.commit()
        self.write("new.cu", WAITING.replace("more", "newer"))
        self.git("add", "-N", "new.cu")
        self.assertEqual(self.findings("--staged"), self.NONE)

    def test_the_index_of_a_commit_of_some_files(self):
        """`git commit FILE` runs the hook with an index of its own."""
        self.commit()
        self.write("more.cu", WAITING)
        self.write(".git/hooks/pre-commit", f"#!/bin/sh\nexec {PROGRAM} check --staged --quiet\n")
        os.chmod(self.path(".git/hooks/pre-commit"), 0o755)
        done = subprocess.run(["git", "commit", "-q", "-m", "no", "more.cu"], cwd=self.folder, capture_output=True,
                              text=True, env=self.environment)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("[sync-in-loop]", done.stdout + done.stderr)


if __name__ == "__main__":
    sys.argv[1:] = sys.argv[2:]
    unittest.main()
