"""A project with a .syncsniff.yaml, as its users meet it: check, fix, list-checks, explain and doctor.

usage: config_cli.py PROGRAM    (the driver, with syncsniff-analyzer beside it)
"""
import json
import os
import stat
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv[1])

TRAIN = """#include <cuda_runtime.h>
#include <cstdlib>

__global__ void train_step(float* weights, const float* batch, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) weights[i] -= 0.01f * batch[i];
}

void fetch_state(void* to);

void train(float* weights, float* device, int steps) {
  float* host = static_cast<float*>(malloc(8192));
  float loss[4];
  for (int step = 0; step < steps; ++step) {
    cudaMemcpy(device, host, 8192, cudaMemcpyHostToDevice);
    train_step<<<8, 256>>>(weights, device, 2048);
    cudaMemcpy(loss, weights, sizeof loss, cudaMemcpyDeviceToHost);
    train_step<<<8, 256>>>(weights, device, 2048);
    fetch_state(host);
  }
  free(host);
}
"""
WAITS = """#include <cuda_runtime.h>

__global__ void work(float* x) { x[threadIdx.x] += 1.0f; }

void other(float* x, int steps) {
  for (int step = 0; step < steps; ++step) {
    work<<<1, 256>>>(x);
    cudaDeviceSynchronize();
  }
}
"""
OWN_FACTS = """library: ours
functions:
  fetch_state: {blocks_host: always, waits_for: device}
"""


class ConfigCli(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)
        self.environment = dict(os.environ, HOME=self.folder, XDG_CACHE_HOME=self.folder + "/cache")
        self.write(".git/HEAD", "")
        self.write("src/train.cu", TRAIN)
        self.write("legacy/waits.cu", WAITS)
        self.write("compile_commands.json", json.dumps([
            {"directory": self.folder, "file": file, "command": f"nvcc -std=c++17 -c {file}"}
            for file in ("src/train.cu", "legacy/waits.cu")]))

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)

    def config(self, text):
        self.write(".syncsniff.yaml", text)

    def run_it(self, *words, where="", environment=None):
        done = subprocess.run([PROGRAM, *words], cwd=os.path.join(self.folder, where), capture_output=True, text=True,
                              env=environment or self.environment)
        return done.returncode, done.stdout, done.stderr

    def found(self, *words, where=""):
        code, out, err = self.run_it("check", "--format=json", *words, where=where)
        self.assertIn(code, (0, 1), err)
        return sorted((f["rule"], os.path.basename(f["location"]["file"]), f["location"]["line"])
                      for f in json.loads(out)["findings"])

    ALL = [("blocking-copy-in-loop", "train.cu", 15), ("scalar-readback", "train.cu", 17),
           ("sync-in-loop", "waits.cu", 8)]

    def test_rules_by_glob_and_level(self):
        self.assertEqual(self.found(), self.ALL)
        self.config("rules: [-*, sync-*]\n")
        self.assertEqual(self.found(), self.ALL[2:])
        self.assertEqual(self.found("--no-config"), self.ALL)
        self.assertEqual(self.found("--rules=scalar-*"), self.ALL[1:2])
        self.assertEqual(self.found("--rules=-scalar-*"), [self.ALL[0], self.ALL[2]])
        self.config("rules: -blocking-copy-in-loop\nlevel: 0\n")
        self.assertEqual(self.found(), self.ALL[1:])

    def test_it_is_found_upward_to_the_repositorys_top(self):
        self.config("rules: [-*, sync-*]\n")
        self.assertEqual(self.found(where="src"), self.ALL[2:])
        os.rename(self.folder + "/.git", self.folder + "/src/.git")
        self.assertEqual(self.found(where="src"), self.ALL)
        self.assertEqual(self.found("--config", "../.syncsniff.yaml", where="src"), self.ALL[2:])

    def test_severity_and_exit_status(self):
        self.assertEqual(self.run_it("check")[0], 1)
        self.config("fail-level: never\n")
        self.assertEqual(self.run_it("check")[0], 0)
        self.assertEqual(self.run_it("check", "--fail-level=low")[0], 1)
        self.config("min-severity: high\n")
        high = self.found()
        self.write("legacy/waits.cu", WAITS.replace("    cudaDev", "    if (step % 100 == 0) cudaDev"))
        self.assertEqual(self.found(), [f for f in high if f[1] != "waits.cu"])
        self.assertIn(self.ALL[2], self.found("--min-severity=info"))

    def test_thresholds_that_check_reads_decide(self):
        pageable = ("pageable-copy-in-loop", "train.cu", 15)
        self.config("thresholds: {pageable-copy-in-loop: {min_bytes: 8192}}\n")
        self.assertEqual(self.found(), sorted(self.ALL + [pageable]))
        self.config("thresholds: {pageable-copy-in-loop: {min_bytes: 8193}}\n")
        self.assertEqual(self.found(), self.ALL)
        self.config("thresholds: {scalar-readback: {max_bytes: 8}}\n")
        self.assertEqual(self.found(), sorted([self.ALL[0], ("blocking-copy-in-loop", "train.cu", 17), self.ALL[2]]))
        self.write("src/train.cu", TRAIN.replace("cudaMemcpy(device, host, 8192, cudaMemcpyHostToDevice)",
                                                 "cudaMemcpyAsync(device, host, 8192, cudaMemcpyHostToDevice)"))
        staged = {}
        for most in (8191, 8192):
            self.config("thresholds: {pageable-async-copy: {staged_bytes: %d}}\n" % most)
            _, out, _ = self.run_it("check", "--format=json", "--rules=pageable-async-copy")
            staged[most] = [f["severity"] for f in json.loads(out)["findings"]]
        self.assertEqual(staged, {8191: ["high"], 8192: ["info"]})

    def test_files(self):
        self.config("exclude-files: legacy\n")
        self.assertEqual(self.found(), self.ALL[:2])
        self.assertEqual(self.found(where="src"), self.ALL[:2])
        self.assertEqual(self.found("legacy/waits.cu"), [])
        self.config("only-files: ['*/waits.*']\n")
        self.assertEqual(self.found(), self.ALL[2:])
        self.config("exclude-files: " + self.folder + "/src\n")
        self.assertEqual(self.found(), self.ALL[2:])
        # A pattern is matched below the configuration's folder, not above it.
        self.config("exclude-files: " + os.path.basename(self.folder) + "\n")
        self.assertEqual(self.found(), self.ALL)

    def test_other_peoples_code_is_reported_where_it_is_named(self):
        own = [f for f in self.ALL if f[1] != "waits.cu"]
        for folder in ("third_party/lib", "build/_deps/lib-src"):
            self.write(folder + "/waits.cu", WAITS)
            self.write("compile_commands.json", json.dumps([
                {"directory": self.folder, "file": file, "command": f"nvcc -std=c++17 -c {file}"}
                for file in ("src/train.cu", folder + "/waits.cu")]))
            self.assertEqual(self.found(), own)
            self.assertIn("note: 1 finding is in other people's code", self.run_it("check")[2])
            self.assertEqual(self.found(folder), self.ALL[2:])
            self.assertEqual(self.found(where=folder), self.ALL, "whoever works there")

    def test_why_not_says_that_the_choice_leaves_it_out(self):
        line = ("check", "--why-not", "legacy/waits.cu:8")
        self.assertNotIn("no sync-in-loop", self.run_it(*line)[1])
        self.config("rules: -sync-in-loop\n")
        self.assertIn("waits.cu:8:5: note: no sync-in-loop: the rule is turned off (--rules ", self.run_it(*line)[1])
        self.config("exclude-files: legacy\n")
        self.assertIn("waits.cu:8:5: note: no sync-in-loop: only-files or exclude-files ", self.run_it(*line)[1])
        self.assertNotIn("sync-in-loop", self.run_it("check", "--why-not", "legacy/waits.cu:6")[1])

    def test_own_facts_and_words_never_come_from_another_runs_cache(self):
        own = sorted(self.ALL + [("sync-in-loop", "train.cu", 19)])
        self.write("tools/ours.yaml", OWN_FACTS)
        self.write("with.yaml", "api-facts: tools/ours.yaml\n")
        self.write("without.yaml", "{}\n")
        for _ in range(2):
            self.assertEqual(self.found("--config=with.yaml"), own)
            self.assertEqual(self.found("--config=without.yaml"), self.ALL)
        self.write("tools/ours.yaml", OWN_FACTS.replace("always, waits_for: device", "never"))
        self.assertEqual(self.found("--config=with.yaml"), self.ALL)
        self.write("tools/ours.yaml", OWN_FACTS)
        self.assertEqual(self.found("--config=with.yaml"), own)

        self.write("words.yaml", "lowering:\n  nightly: {because: it runs at night, where: [function], words: [other]}\n")
        self.write("words-too.yaml", "words: words.yaml\nmin-severity: high\n")
        self.write("high.yaml", "min-severity: high\n")
        for _ in range(2):
            self.assertNotIn(self.ALL[2], self.found("--config=words-too.yaml"))
            self.assertIn(self.ALL[2], self.found("--config=high.yaml"))
            self.assertEqual(self.found("--level=0", "--rules=sync-*", "--config=high.yaml"), self.ALL[2:])

    def test_own_facts_are_checked(self):
        for text, message in ((OWN_FACTS.replace("blocks_host: always", "blocks: always"),
                               "tools/ours.yaml:3:17: key 'blocks': unknown key"),
                              (OWN_FACTS.replace("fetch_state", "cudaMemcpy"),
                               "tools/ours.yaml:3:3: key 'cudaMemcpy': given twice, first in cuda_runtime.yaml"),
                              ("", "tools/ours.yaml")):
            self.write("tools/ours.yaml", text)
            self.config("api-facts: [tools/ours.yaml]\n")
            code, out, err = self.run_it("check")
            self.assertEqual((code, out, err.count("\n")), (2, "", 1))
            self.assertIn(message, err)
            self.assertTrue(err.endswith("; correct the file\n"), err)

    def test_build_path_and_baseline(self):
        os.makedirs(self.folder + "/out/release")
        os.rename(self.folder + "/compile_commands.json", self.folder + "/out/release/compile_commands.json")
        self.config("build-path: out/release\nbaseline: known.json\n")
        code, _, err = self.run_it("check")
        self.assertEqual(code, 2)
        self.assertIn(".syncsniff.yaml:2:11: key 'baseline': " + self.folder + "/known.json: no such file; `syncsniff "
                      "check --no-baseline --format=json -o FILE` makes one", err)
        self.assertEqual(self.run_it("check", "--no-baseline", "--format=json", "-o", "known.json")[0], 1)
        self.assertEqual(self.run_it("check")[0], 0)
        self.assertEqual(self.run_it("check", where="src")[0], 0)
        self.write("src/train.cu", TRAIN.replace("fetch_state(host);", "cudaStreamSynchronize(0);"))
        self.assertEqual(self.run_it("check")[0], 1)
        self.assertEqual(self.run_it("check", "--no-config", "-p", "out/release")[0], 1)
        self.config("build-path: gone\n")
        self.assertIn(".syncsniff.yaml:1:13: key 'build-path': ", self.run_it("check")[2])
        self.assertEqual(self.run_it("check", "-p", "out/release")[0], 1)

    def test_fix_heeds_it(self):
        self.write("legacy/waits.cu", WAITS.replace("    cudaDeviceSynchronize();\n",
                                                         "    cudaDeviceSynchronize();\n    cudaDeviceSynchronize();\n"))
        self.assertIn("waits.cu", self.run_it("fix", "--dry-run")[1])
        self.config("exclude-files: legacy\n")
        self.assertNotIn("waits.cu", self.run_it("fix", "--dry-run")[1])
        self.config("lvel: 1\n")
        self.assertEqual(self.run_it("fix", "--dry-run")[0], 2)

    def test_a_fault_is_one_line_with_its_place_and_exit_2(self):
        for text, message in (("level: 1\nruels: []\n", ".syncsniff.yaml:2:1: key 'ruels': unknown key in the configuration; "
                               "did you mean 'rules'? known: rules, level,"),
                              ("rules: [sync-in-lop]\n", ".syncsniff.yaml:1:9: key 'rules': unknown rule 'sync-in-lop'; "
                               "did you mean 'sync-in-loop'?"),
                              ("level: [\n", ".syncsniff.yaml:2:1: not YAML: "),
                              ("rules: \"\x1b[31m\x07\u202e\"\n", ".syncsniff.yaml:1:")):
            self.config(text)
            for words in (("check",), ("check", "--dump-config"), ("list-checks",), ("explain", "sync-in-loop")):
                code, out, err = self.run_it(*words)
                self.assertEqual((code, out, err.count("\n")), (2, "", 1), (words, err))
                self.assertIn("syncsniff: error: " + message, err)
                self.assertNotIn("\x1b", err)
                self.assertNotIn("install syncsniff again", err)
        self.assertEqual(self.run_it("check", "--no-config")[0], 1)

    def test_what_is_no_file_is_refused_at_once(self):
        os.mkfifo(self.folder + "/.syncsniff.yaml")
        code, _, err = self.run_it("check")
        self.assertEqual(code, 2)
        self.assertIn(".syncsniff.yaml: ", err)
        os.remove(self.folder + "/.syncsniff.yaml")
        os.symlink("gone.yaml", self.folder + "/.syncsniff.yaml")
        self.assertEqual(self.run_it("check")[0], 2)
        self.assertEqual(self.run_it("check", "--config", "gone.yaml", "--no-config")[0], 2)
        self.assertIn("gone.yaml: no such file; --config takes", self.run_it("check", "--config", "gone.yaml")[2])

    def test_the_dump_reads_back_and_says_where_from(self):
        self.write("tools/words.yaml", "lowering: {}\n")
        self.config("rules: [-scalar-*]\nthresholds: {pageable-copy-in-loop: {min_bytes: 4096}}\n"
                    "exclude-files: legacy\nwords: tools/words.yaml\nfail-level: medium\n")
        code, out, err = self.run_it("check", "--dump-config", "--level=0", "--fail-level=high")
        self.assertEqual((code, err), (0, ""))
        lines = {line.split("#")[0].strip(): line.split("#")[-1].strip() for line in out.splitlines()}
        self.assertEqual(lines["level: 0"], "command line")
        self.assertEqual(lines["fail-level: high"], "command line")
        self.assertEqual(lines["min_bytes: 4096"], ".syncsniff.yaml:2:49")
        self.assertEqual(lines["staged_bytes: 65536"], "default")
        self.assertEqual(lines["min-severity: info"], "default")
        self.assertEqual(self.run_it("check", "--dump-config", "--level=0", "--fail-level=high", "-o", "dumped.yaml"), (0, "", ""))
        with open(os.path.join(self.folder, "dumped.yaml"), encoding="utf-8") as file:
            self.assertEqual(file.read(), out)
        self.assertEqual(self.found("--config=dumped.yaml"), self.found("--level=0", "--fail-level=high"))
        code, again, _ = self.run_it("check", "--config=dumped.yaml", "--dump-config")
        strip = lambda text: [line.split("#")[0].rstrip() for line in text.splitlines()]
        self.assertEqual(strip(again), strip(out))

    def test_list_checks(self):
        code, default, _ = self.run_it("list-checks")
        self.assertEqual(code, 0)
        self.assertIn("sync-in-loop", default)
        self.assertNotIn("launch-bound-step", default)
        self.config("rules: [-*, launch-bound-step]\n")
        self.assertRegex(self.run_it("list-checks")[1], r"^launch-bound-step +level 2  .+\n$")
        _, everything, _ = self.run_it("list-checks", "--all")
        self.assertEqual(len(everything.splitlines()), len(self.run_it("rules")[1].splitlines()))
        self.assertIn("\non   launch-bound-step ", everything)
        self.assertIn("\noff  sync-in-loop ", everything)
        self.assertEqual(self.run_it("list-checks", "--no-config")[1], default)
        self.assertEqual(self.run_it("list-checks", "--al")[0], 2)

    def test_explain(self):
        code, page, _ = self.run_it("explain", "scalar-readback")
        self.assertEqual(code, 0)
        for part in ("Why it costs", "Never flagged", "Bad", "Good", "Fix", "Thresholds", "max_bytes = 64:",
                     "allow(scalar-readback)", "rules: [-scalar-readback]"):
            self.assertIn(part, page)
        self.assertEqual(self.run_it("rule", "scalar-readback")[1], page)
        self.config("rules: [-scalar-readback]\nthresholds: {scalar-readback: {max_bytes: 8}}\n")
        _, page, _ = self.run_it("explain", "scalar-readback")
        self.assertIn("off here, by .syncsniff.yaml:1:8", page)
        self.assertIn("max_bytes = 8, by .syncsniff.yaml:2:43 instead of 64:", page)
        self.assertIn("did you mean 'sync-in-loop'?", self.run_it("explain", "sync-in-lop")[2])

    def lines(self, half, *words, environment=None):
        code, out, err = self.run_it("doctor", "--format=json", *words, environment=environment)
        document = json.loads(out)
        return code, {line["name"]: line for line in document[half]["lines"]}, document[half]["works"]

    def test_doctor_of_the_checking_half(self):
        code, lines, works = self.lines("check")
        self.assertEqual((code, works), (0, True))
        self.assertEqual(lines["compile database"]["state"], "found")
        self.assertEqual(lines["compile database"]["detail"], self.folder + "/compile_commands.json, 2 commands")
        self.assertEqual(lines["configuration"]["detail"], "no .syncsniff.yaml here or in a folder above: defaults")
        self.assertEqual(lines["cache"]["detail"], self.folder + "/cache/syncsniff, 0 units, 0 KB")
        self.run_it("check")
        self.assertRegex(self.lines("check")[1]["cache"]["detail"], r"/syncsniff, 2 units, [1-9]\d* KB$")

        self.config("level: 5\n")
        code, lines, works = self.lines("check", "check")
        self.assertEqual((code, works), (1, False))
        self.assertEqual(lines["configuration"]["state"], "missing")
        self.assertEqual(lines["configuration"]["detail"], ".syncsniff.yaml:1:8: key 'level': must be 0, 1 or 2")
        self.assertEqual(self.lines("check", "check", "--no-config")[0], 0)
        code, text, _ = self.run_it("doctor", "check")
        self.assertEqual(code, 1)
        self.assertIn("check: cannot work here, missing: configuration\n", text)
        os.remove(self.folder + "/.syncsniff.yaml")

        os.remove(self.folder + "/compile_commands.json")
        code, lines, _ = self.lines("check", "check")
        self.assertEqual((code, lines["compile database"]["state"]), (0, "limited"))
        self.assertIn("CMAKE_EXPORT_COMPILE_COMMANDS", lines["compile database"]["detail"])
        self.assertIn("only `syncsniff check FILE...` works", lines["compile database"]["remedy"])
        with open(self.folder + "/compile_commands.json", "w") as database:
            database.write("[{")
        code, lines, _ = self.lines("check", "check")
        self.assertEqual((code, lines["compile database"]["state"]), (1, "missing"))

    def test_doctor_says_that_a_database_is_anothers(self):
        os.mkdir(self.folder + "/other")
        folder, self.folder = self.folder, self.folder + "/other"
        code, lines, works = self.lines("check", "check")
        self.folder = folder
        self.assertEqual((code, works, lines["compile database"]["state"]), (0, True, "limited"))
        self.assertEqual(lines["compile database"]["detail"],
                         folder + "/compile_commands.json, 2 commands, none of them for a source of this folder")

    def test_doctor_says_what_the_environment_hides(self):
        gone = dict(self.environment, XDG_CACHE_HOME=self.folder + "/compile_commands.json")
        self.assertEqual(self.lines("check", environment=gone)[1]["cache"]["state"], "limited")
        none = {k: v for k, v in self.environment.items() if k not in ("HOME", "XDG_CACHE_HOME")}
        self.assertIn("neither", self.lines("check", environment=none)[1]["cache"]["detail"])
        self.write("cuda/include/cuda_runtime.h", "")
        self.write("cuda/include/cuda.h", "#define CUDA_VERSION 12040\n")
        cuda = dict(self.environment, CUDA_HOME=self.folder + "/cuda")
        self.assertEqual(self.lines("check", environment=cuda)[1]["CUDA toolkit"]["detail"],
                         self.folder + "/cuda, version 12.4")

    def test_doctor_of_the_running_half(self):
        if not os.path.exists(os.path.join(os.path.dirname(PROGRAM), "syncsniff-instrument")):
            self.skipTest("built without the run part")
        around = dict(self.environment, CUDA_INJECTION64_PATH="/opt/nsys/libToolsInjection64.so", SYNCSNIFF_CUPTI="/gone.so")
        code, lines, works = self.lines("run", "run", environment=around)
        self.assertEqual(code, 0 if works else 1)
        self.assertEqual(lines["syncsniff-instrument"]["state"], "found")
        self.assertIn("outside of it", lines["CUDA_INJECTION64_PATH"]["remedy"])
        self.assertEqual((lines["CUPTI"]["state"], lines["CUPTI"]["detail"]),
                         ("limited", "SYNCSNIFF_CUPTI=/gone.so cannot be loaded"))
        self.assertTrue(lines["samples of the host"]["detail"])
        self.assertEqual(lines["GPU"]["state"], "found" if os.path.exists("/dev/nvidiactl") else "missing")
        hidden = dict(self.environment, SYNCSNIFF_SHIM="/gone.so")
        code, lines, works = self.lines("run", "run", environment=hidden)
        self.assertEqual((code, works, lines["preloaded library"]["state"]), (1, False, "missing"))
        self.assertIn("/gone.so: not readable; unset SYNCSNIFF_SHIM", lines["preloaded library"]["detail"])

    def test_doctor_without_a_part(self):
        folder = self.folder + "/alone"
        os.makedirs(folder)
        with open(PROGRAM, "rb") as source, open(folder + "/syncsniff", "wb") as copy:
            copy.write(source.read())
        os.chmod(folder + "/syncsniff", stat.S_IRWXU)
        self.write("alone/syncsniff-instrument", "#!/bin/sh\necho broken >&2\nexit 3\n")
        os.chmod(folder + "/syncsniff-instrument", stat.S_IRWXU)
        done = subprocess.run([folder + "/syncsniff", "doctor"], capture_output=True, text=True, env=self.environment)
        self.assertEqual(done.returncode, 1)
        self.assertIn("syncsniff-analyzer", done.stdout)
        self.assertIn("not installed beside this program; build with -DSYNCSNIFF_ANALYZER=ON", done.stdout)
        self.assertIn("cannot work: broken; install syncsniff again", done.stdout)
        self.assertIn("check: cannot work here", done.stdout)
        self.assertIn("run: cannot work here", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
