"""The analyzer as its user meets it: a small CUDA program of two files, checked, allowed, mended.

usage: check_cli.py PROGRAM    (syncsniff-analyzer, or the driver)
"""
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
SOON = 3  # seconds, on a machine that is busy; what waits for a pipe waits for ever

STEP = """#include <cuda_runtime.h>

__global__ void scale(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

void step(float* host, float* device, int n) {
  scale<<<(n + 255) / 256, 256>>>(device, n);
  cudaDeviceSynchronize();  // the copy waits anyway
  cudaMemcpy(host, device, n * sizeof(float), cudaMemcpyDeviceToHost);
}
"""
MAIN = """#include <cuda_runtime.h>

void step(float* host, float* device, int n);

int main() {
  float *host = new float[1024], *device;
  cudaMalloc(&device, 4096);
  for (int i = 0; i < 1000; ++i) {
    step(host, device, 1024);
  }
  cudaFree(device);
  delete[] host;
}
"""


class CheckCli(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)
        self.write("step.cu", STEP)
        self.write("main.cu", MAIN)
        self.database("main.cu", "step.cu")

    def database(self, *files):
        self.write("compile_commands.json", json.dumps([
            {"directory": self.folder, "file": file, "command": f"nvcc -std=c++17 -O2 -c {file} -o {file}.o"}
            for file in files]))

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)

    def read(self, name):
        with open(os.path.join(self.folder, name)) as file:
            return file.read()

    def run_it(self, *words, cwd=None):
        done = subprocess.run([PROGRAM, *words], cwd=cwd or self.folder, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def findings(self, *words):
        code, out, err = self.run_it("check", "--format=json", *words)
        document = json.loads(out)
        self.assertEqual([unit["status"] for unit in document["units"]], ["analysed"] * len(document["units"]), err)
        return code, [finding for finding in document["findings"] if not finding["allowed"]]

    def units(self, *words):
        code, out, err = self.run_it("check", "--no-cache", "--format=json", *words)
        document = json.loads(out)
        return code, {unit["file"]: (unit["status"], unit["why"]) for unit in document["units"]}, sorted(
            (f["rule"], f["location"]["file"], f["location"]["line"]) for f in document["findings"]), err

    def one_bad_unit(self, source, words, why):
        """A third unit that cannot be read: it is named, and the other two say what they say without it."""
        alone = self.units(*words)
        self.assertTrue(alone[2])
        self.write("bad.cu", source)
        self.database("bad.cu", "main.cu", "step.cu")
        code, units, findings, err = self.units(*words)
        self.assertEqual(code, 1)
        self.assertEqual(units["bad.cu"][0], "failed", err)
        self.assertIn(why, units["bad.cu"][1])
        self.assertIn("bad.cu: not analysed: " + units["bad.cu"][1], err)
        self.assertEqual([units["main.cu"], units["step.cu"]], [("analysed", ""), ("analysed", "")])
        self.assertEqual(findings, alone[2])

    def test_a_folder_means_the_sources_below_it(self):
        os.makedirs(os.path.join(self.folder, "lib/.hidden"))
        os.makedirs(os.path.join(self.folder, "lib/out"))
        self.write("lib/.hidden/hidden.cu", STEP)
        self.write("lib/out/made.cu", STEP)
        self.write("lib/out/CMakeCache.txt", "")
        self.write("lib/step.cu", STEP)
        self.write("lib/unread.cuh", "#pragma once\n")
        self.write("lib/not_compiled.cu", "#error not for this machine\n")
        os.remove(os.path.join(self.folder, "step.cu"))
        self.database("main.cu", "lib/step.cu")
        by_file, by_folder = self.units("lib/step.cu"), self.units("lib")
        self.assertTrue(by_file[2])
        self.assertEqual(by_folder[:3], by_file[:3])  # units out of the database are not read
        self.assertIn("lib/unread.cuh was not read: no unit includes it", by_folder[3])
        self.assertEqual(self.units(".")[2], self.units()[2])
        os.remove(os.path.join(self.folder, "compile_commands.json"))
        code, units, _, _ = self.units("lib")
        self.assertEqual(sorted(units), ["lib/not_compiled.cu", "lib/step.cu"])  # no database: all are read
        os.makedirs(os.path.join(self.folder, "empty"))
        self.refused("empty: no C, C++ or CUDA source in this folder or below it", "check", "empty")

    @unittest.skipIf(os.geteuid() == 0, "root may read every folder")
    def test_a_folder_that_cannot_be_read_is_refused(self):
        folder = os.path.join(self.folder, "closed")
        os.makedirs(folder)
        os.chmod(folder, 0)
        self.addCleanup(os.chmod, folder, 0o700)
        self.refused("closed: Permission denied", "check", "closed")

    def test_a_source_that_the_database_lacks_is_named(self):
        self.write("include/step.h", "void step(float* host, float* device, int n);\n")
        self.write("src/step.cu", STEP)
        self.write("other.cu", STEP)
        os.remove(os.path.join(self.folder, "step.cu"))
        self.write("main.cu", MAIN.replace("void step(float* host, float* device, int n);", '#include "include/step.h"'))
        self.database("main.cu")
        says = "src/step.cu is in no command of the database, and main.cu calls step()"
        lacking = self.run_it("check")
        self.assertIn(says, lacking[2])
        self.assertIn("bear -- make -B", lacking[2])
        self.assertNotIn(says, self.run_it("check", "--quiet")[2])
        for complete in (["main.cu", "src/step.cu"], ["main.cu", "other.cu"]):  # its own source, or another one
            self.database(*complete)
            self.assertNotIn("in no command of the database", self.run_it("check")[2])
        self.database("main.cu")
        self.write("main.cu", self.read("main.cu") + '#include "src/step.cu"\n')  # part of the unit
        self.assertNotIn("in no command of the database", self.run_it("check")[2])

    def test_a_unit_that_is_gone_points_to_the_database(self):
        self.database("main.cu", "gone.cu")
        self.assertIn("gone.cu: not analysed: no such file, though the compile database names it", self.run_it("check")[2])

    def test_a_python_program_is_measured_and_not_checked(self):
        self.write("train.py", "")
        self.refused("train.py: check reads C, C++ and CUDA; `syncsniff run python train.py` measures", "check", "train.py")

    def test_a_database_of_another_project_is_not_used(self):
        os.remove(os.path.join(self.folder, "compile_commands.json"))
        self.write("build-other/other.cpp", "int other() { return 1; }\n")
        other = os.path.join(self.folder, "build-other")
        self.write("build-other/compile_commands.json", json.dumps(
            [{"directory": other, "file": "other.cpp", "arguments": ["c++", "-c", "other.cpp"]}]))
        self.write("project/alone.cu", self.read("main.cu"))
        project = os.path.join(self.folder, "project")
        code, _, err = self.run_it("check", "alone.cu", cwd=project)
        self.assertIn("build-other/compile_commands.json compiles nothing of this project, and was not used", err)
        self.assertIn("warning: no compile_commands.json: 1 file was read alone", err)
        code, _, err = self.run_it("check", cwd=project)
        self.assertEqual(code, 2)
        self.assertIn("build-other/compile_commands.json: compiles no source of this folder or its repository", err)
        self.assertEqual(self.run_it("check", "-p", other, cwd=project)[0], 0)

    def test_without_a_database_what_cannot_be_read_is_no_success(self):
        os.remove(os.path.join(self.folder, "compile_commands.json"))
        self.write("gone.cu", '#include "gone/away.cuh"\nvoid f() { g(); }\n')
        code, _, err = self.run_it("check", "--accept-partial", "gone.cu")
        self.assertEqual(code, 2)
        self.assertIn("warning: no compile_commands.json: 1 file was read alone", err)
        self.assertIn("error: no unit could be read whole without a compile database: 1 unit partial", err)
        os.makedirs(os.path.join(self.folder, "elsewhere/gone"))
        self.write("elsewhere/gone/away.cuh", "void g();\n")
        code, _, err = self.run_it("check", "--extra-arg=-Ielsewhere", "gone.cu")
        self.assertEqual(code, 0, err)
        self.refused("-Ielsewhere; write a compiler option as --extra-arg=OPTION", "check", "gone.cu", "-Ielsewhere")
        code, _, err = self.run_it("check", "main.cu", "step.cu")
        self.assertEqual(code, 1)
        self.assertIn("no compile_commands.json: 2 files were read together", err)

    def test_require_complete_fails_where_one_unit_is_partial(self):
        self.write("broken.cu", "void f() { int x = y; }\n")
        self.database("main.cu", "broken.cu")
        self.assertEqual(self.run_it("check")[0], 0)
        code, _, err = self.run_it("check", "--require-complete")
        self.assertEqual(code, 2)
        self.assertIn("--require-complete: units were not read completely", err)

    def test_what_the_configuration_leaves_out_is_counted(self):
        self.write(".syncsniff.yaml", "only-files: [nosuchfolder]\n")
        code, out, err = self.run_it("check")
        self.assertEqual((code, out), (0, ""))
        self.assertIn("only-files of .syncsniff.yaml: 'nosuchfolder' matches no file that was read", err)
        self.assertRegex(err, r"\d findings? (is|are) in files that only-files or exclude-files")
        self.write(".syncsniff.yaml", "only-files: [step.cu]\n")
        self.assertNotIn("matches no file", self.run_it("check")[2])
        self.write(".syncsniff.yaml", "exclude-files: [nosuchfolder]\n")
        self.assertIn("exclude-files of .syncsniff.yaml: 'nosuchfolder' matches no file that was read", self.run_it("check")[2])
        self.assertNotIn("matches no file", self.run_it("check", "main.cu")[2])

    def test_a_cache_that_cannot_be_written_is_told(self):
        self.write("file", "")
        environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(self.folder, "file"))
        done = subprocess.run([PROGRAM, "check"], cwd=self.folder, capture_output=True, text=True, env=environment)
        self.assertIn("file/syncsniff: this cache folder cannot be written", done.stderr)

    def test_facts_are_printed_and_nothing_is_checked(self):
        code, out, err = self.run_it("check", "--dump-facts", "step.cu")
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(out, r"^unit .*step\.cu\n  function ")
        self.assertIn("API call cudaDeviceSynchronize, line ", out)
        self.assertNotIn("main.cu", out)
        self.assertNotIn("main.cu", self.run_it("check", "--dump-facts", "--no-cache", "--verbose", "step.cu")[2])
        self.assertEqual(self.run_it("check", "--dump-facts", "step.cu", "-o", "facts.txt"), (0, "", ""))
        with open(os.path.join(self.folder, "facts.txt"), encoding="utf-8") as file:
            self.assertEqual(file.read(), out)
        code, out, err = self.run_it("check", "--dump-facts", "absent.cu")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("absent.cu", err)

    def test_a_report_replaces_an_earlier_one_but_no_source(self):
        with open(os.path.join(self.folder, "step.cu"), encoding="utf-8") as file:
            source = file.read()
        for words in (["check", "-o", "step.cu"], ["check", "--format=json:./step.cu"],
                      ["check", "--dump-facts", "step.cu", "-o", "step.cu"], ["fix", "--export-fixes=step.cu"]):
            code, out, err = self.run_it(*words)
            self.assertEqual((code, out), (2, ""))
            self.assertIn("step.cu: is a source file, which no report replaces; give the report another file", err)
        with open(os.path.join(self.folder, "step.cu"), encoding="utf-8") as file:
            self.assertEqual(file.read(), source)
        for _ in range(2):
            self.run_it("check", "--format=json", "-o", "report.json")
        with open(os.path.join(self.folder, "report.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["version"], 1)

    def test_why_not_tells_what_withholds_and_what_lowers(self):
        self.write("main.cu", MAIN.replace("void step(", "void validate_step(").replace("    step(host", "    validate_step(host"))
        self.write("step.cu", STEP.replace("void step(", "void validate_step(").replace(
            "  cudaMemcpy(", "  if (n < 0) {\n    cudaDeviceSynchronize();\n    __builtin_abort();\n  }\n  cudaMemcpy("))
        code, out, _ = self.run_it("check", "--why-not", "step.cu:12")
        self.assertEqual(code, 0)
        self.assertIn("withheld: it runs where an error is handled (by structure)", out)
        code, out, _ = self.run_it("check", "--why-not", "step.cu:15")
        self.assertIn("lowered to medium: 'validate' in the name says that a model is checked here, not trained (by name)", out)
        code, out, _ = self.run_it("check", "--why-not", "main.cu:7")
        self.assertIn("is in no loop that launches GPU work", out)
        code, out, _ = self.run_it("check", "--why-not", "main.cu:1")
        self.assertIn("no call on this line is known to wait", out)
        code, _, err = self.run_it("check", "--why-not", "gone.cu:1")
        self.assertEqual(code, 2)
        self.assertIn("gone.cu: no such file", err)

    def test_why_not_says_that_a_row_of_streams_is_set_up(self):
        self.write("row.cu", "__global__ void wave(float*);\n"
                             "void run(float* field) {\n"
                             "  cudaStream_t streams[64];\n"
                             "  for (int i = 0; i < 64; ++i) {\n"
                             "    cudaStreamCreate(&streams[i]);\n"
                             "    wave<<<1, 256, 0, streams[i]>>>(field);\n"
                             "  }\n"
                             "}\n")
        code, out, _ = self.run_it("check", "--why-not", "row.cu:5", "row.cu")
        self.assertIn("each iteration creates or destroys an element of its own: this is set-up or tear-down", out)

    def test_why_not_names_the_call_whose_code_is_out_of_sight(self):
        self.write("main.cu", MAIN.replace("    step(host, device, 1024);", "    step(host, device, 1024);\n    unread();").replace(
            "int main", "void unread();\nint main"))
        code, out, _ = self.run_it("check", "--why-not", "main.cu:11")
        self.assertEqual(code, 0)
        self.assertIn("main.cu:11:5: note: the code of 'unread' was not read", out)

    def test_why_not_of_a_line_that_is_not_there(self):
        self.refused("step.cu:9999: the file has only 12 lines", "check", "--why-not", "step.cu:9999")
        self.refused(".: a folder has no lines; give FILE:LINE", "check", "--why-not", ".:3")

    def test_words_of_a_users_own_lower_by_one_step(self):
        self.write("main.cu", MAIN.replace("void step(", "void nightly(").replace("    step(host", "    nightly(host"))
        self.write("step.cu", STEP.replace("void step(", "void nightly("))
        before = {f["rule"]: f["severity"] for f in self.findings()[1]}
        self.assertEqual(before["blocking-copy-in-loop"], "high")
        self.write("words.yaml", "lowering:\n  nightly: {because: it runs at night, where: [function], words: [nightly]}\n")
        after = {f["rule"]: f["severity"] for f in self.findings("--words", "words.yaml")[1]}
        self.assertEqual(after["blocking-copy-in-loop"], "medium")
        self.write("words.yaml", "lowering: [nightly]\n")
        code, _, err = self.run_it("check", "--words", "words.yaml")
        self.assertEqual(code, 2)
        self.assertIn("words.yaml:1", err)

    def test_a_unit_that_overflows_clangs_stack_costs_itself_alone(self):
        self.one_bad_unit("int x = " + "!" * 3_000_000 + "1;\n", (), "crashed (signal 11")

    def test_a_unit_that_never_ends_costs_itself_alone(self):
        endless = ("template <int N, int M> struct F { static constexpr int v = F<N - 1, 2 * M>::v + F<N - 1, 2 * M + 1>::v; };\n"
                   "template <int M> struct F<0, M> { static constexpr int v = M; };\n"
                   "int x = F<24, 1>::v;\n")
        self.one_bad_unit(endless, ("--unit-seconds=2",), "over 2 s")

    def test_a_unit_that_takes_too_much_memory_costs_itself_alone(self):
        large = ("template <int N, int M> struct F { static constexpr int v = F<N - 1, 2 * M>::v + F<N - 1, 2 * M + 1>::v; };\n"
                 "template <int M> struct F<0, M> { static constexpr int v = M; };\n"
                 "int x = F<24, 1>::v;\n")
        self.one_bad_unit(large, ("--unit-memory=0.3",), "over 0.3 GB")

    def test_a_unit_that_only_the_checks_cannot_bear_costs_itself_alone(self):
        """Clang reads 3,000 classes in a second; which of their functions calls which takes the linking longer."""
        source = ("#include <cuda_runtime.h>\n__global__ void scale(float*, int);\n"
                  "struct Part { virtual void run(float* x, int n) { scale<<<1, 1>>>(x, n); } Part* inner; };\n" +
                  "".join(f"struct Part{i} : Part {{ void run(float* x, int n) override {{ inner->run(x, n); }} }};\n"
                          for i in range(3_000)))
        self.one_bad_unit(source, ("--unit-seconds=4",), "left out: the checks of this unit took over 4 s")

    def test_a_failed_unit_that_was_not_asked_for_is_named_too(self):
        self.write("main.cu", "int x = " + "!" * 3_000_000 + "1;\n")
        code, units, findings, err = self.units("step.cu")
        self.assertIn("main.cu: not analysed: crashed", err)
        self.assertEqual(units["step.cu"], ("analysed", ""))

    def test_a_source_that_is_edited_while_it_is_parsed_is_read_again(self):
        slow = ("template <int N, int M> struct F { static constexpr int v = F<N - 1, 2 * M>::v + F<N - 1, 2 * M + 1>::v; };\n"
                "template <int M> struct F<0, M> { static constexpr int v = M; };\nint slow = F<14, 1>::v;\n")
        clean = slow + STEP.replace("  cudaDeviceSynchronize();", "  /* udaDeviceSynchronize();").replace(" anyway", " */")
        self.write("step.cu", clean)
        environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(self.folder, "cache"))
        check = [PROGRAM, "check", "--format=json"]
        first = subprocess.Popen(check, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
        time.sleep(0.5)
        self.write("step.cu", slow + STEP)
        first.communicate()
        again = subprocess.run(check, cwd=self.folder, capture_output=True, text=True, env=environment)
        anew = subprocess.run(check + ["--no-cache"], cwd=self.folder, capture_output=True, text=True, env=environment)
        self.assertEqual(json.loads(again.stdout)["findings"], json.loads(anew.stdout)["findings"])

    def test_a_worker_that_is_stopped_keeps_nobody_waiting(self):
        running = subprocess.Popen([PROGRAM, "check", "--no-cache", "--unit-seconds=1"], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        stopped = set()
        deadline = time.monotonic() + 10
        while running.poll() is None and time.monotonic() < deadline:
            with open(f"/proc/{running.pid}/task/{running.pid}/children") as file:
                for child in file.read().split():
                    if child not in stopped and not stopped:
                        os.kill(int(child), signal.SIGSTOP)
                        stopped.add(child)
        self.assertTrue(stopped)
        self.assertIsNotNone(running.wait(timeout=100))

    def test_an_include_that_is_a_pipe_is_not_waited_for(self):
        os.mkfifo(os.path.join(self.folder, "pipe.h"))
        self.write("step.cu", '#include "pipe.h"\n' + STEP)
        began = time.monotonic()
        code, units, findings, err = self.units()
        self.assertLess(time.monotonic() - began, 20)
        self.assertEqual(units["step.cu"][0], "partial", err)
        self.assertIn("'pipe.h' file not found", units["step.cu"][1])
        self.assertEqual(code, 1)

    def test_a_source_or_an_include_that_cannot_be_read_is_not_clean(self):
        self.write("step.cu", '#include "/proc/self/mem"\n' + STEP)
        code, units, findings, err = self.units()
        self.assertEqual(units["step.cu"][0], "partial", err)
        self.assertIn("Input/output error", units["step.cu"][1])
        os.symlink("/proc/self/mem", os.path.join(self.folder, "bad.cu"))
        self.database("bad.cu", "main.cu")
        code, units, findings, err = self.units()
        bad = [units[unit] for unit in units if unit.endswith("/mem")]
        self.assertEqual([status for status, why in bad], ["failed"], err)
        self.assertIn("Input/output error", bad[0][1])

    def test_variables_whose_class_is_not_known_are_no_crash(self):
        self.write("step.cu", STEP.replace("void step(", "struct Later;\nLater make();\nvoid step(").replace(
            "  cudaMemcpy(", "  Later later = make();\n  Missing missing;\n  int other(&missing);\n  cudaMemcpy("))
        code, units, findings, err = self.units()
        self.assertEqual(code, 1)
        self.assertEqual(units["step.cu"][0], "partial", err)
        self.assertIn(("sync-in-loop", "step.cu"), [(rule, file) for rule, file, line in findings])

    def test_functions_of_thousands_of_calls_waits_and_jumps_end_in_time(self):
        calls = "".join(f"  other({i});\n" for i in range(30_000))
        jumps = "".join(f"  l{i}: other({i}); if (n == {i}) goto l{i * 7919 % 1000};\n" for i in range(1000))
        self.write("step.cu", STEP.replace("void step(", "void other(int);\nvoid step(").replace(
            "  cudaMemcpy(", calls + "  cudaMemcpy(") + "void more(int n) {\n" + jumps + "}\n")
        code, units, findings, err = self.units("--unit-seconds=30")
        self.assertEqual(units["step.cu"], ("analysed", ""), err)
        self.assertIn(("sync-in-loop", "step.cu"), [(rule, file) for rule, file, line in findings])

    def test_the_wait_is_found_with_its_path_from_the_other_file(self):
        code, findings = self.findings()
        self.assertEqual(code, 1)
        redundant = [f for f in findings if f["rule"] == "redundant-sync"]
        self.assertEqual([(f["location"]["file"], f["location"]["line"], f["location"]["column"]) for f in redundant],
                         [("step.cu", 10, 3)])
        self.assertEqual([(s["location"]["file"], s["location"]["line"]) for s in redundant[0]["path"]][:2],
                         [("main.cu", 8), ("main.cu", 9)])

    def test_text_shows_the_line(self):
        code, out, err = self.run_it("check", "--rules=redundant-sync")
        self.assertEqual(code, 1)
        lines = out.splitlines()
        self.assertRegex(lines[0], r"^step\.cu:10:3: warning: .* \[redundant-sync\] \(high\)$")
        self.assertEqual(lines[1:3], ["   10 |   cudaDeviceSynchronize();  // the copy waits anyway",
                                      "      |   ^~~~~~~~~~~~~~~~~~~~~~~"])
        self.assertEqual(err, "1 finding in 1 file (1 high); 2 units analysed\n")

    def test_only_the_files_asked_for_are_reported(self):
        self.write("other.cu", "int other() { return 0; }\n")
        self.database("main.cu", "step.cu", "other.cu")
        self.assertEqual(self.findings("other.cu"), (0, []))
        self.assertIn("redundant-sync", [f["rule"] for f in self.findings("step.cu")[1]])

    def test_the_file_with_the_loop_counts_for_what_it_runs(self):
        code, findings = self.findings("main.cu")
        self.assertEqual(code, 1)
        self.assertEqual({f["location"]["file"] for f in findings}, {"step.cu"})
        self.assertEqual(self.run_it("fix", "--dry-run", "main.cu")[1], "", "a file that was not named is not mended")

    def test_allowed(self):
        self.write("step.cu", STEP.replace("// the copy waits anyway",
                                           "// syncsniff: allow(redundant-sync, sync-in-loop) to see the edge"))
        code, out, err = self.run_it("check", "--rules=redundant-sync,sync-in-loop")
        self.assertEqual((code, out), (0, ""))
        self.assertRegex(err, r"^no findings, \d allowed; 2 units analysed\n$")

    def test_fix_mends_and_has_nothing_more_to_do(self):
        wait = "  cudaDeviceSynchronize();  // the copy waits anyway\n"
        self.write("step.cu", STEP.replace(wait, 2 * "  cudaDeviceSynchronize();\n").replace("cudaMemcpy(", "// cudaMemcpy("))
        once = self.read("step.cu").replace(2 * "  cudaDeviceSynchronize();\n", "  cudaDeviceSynchronize();\n")
        code, diff, _ = self.run_it("fix", "--rules=redundant-sync", "--dry-run")
        self.assertEqual(code, 1)
        self.assertEqual([line for line in diff.splitlines() if line[0] in "+-"],
                         ["--- a/step.cu", "+++ b/step.cu", "-  cudaDeviceSynchronize();"])
        self.assertNotEqual(self.read("step.cu"), once)
        code, _, err = self.run_it("fix", "--rules=redundant-sync")
        self.assertEqual((code, err), (0, "1 edit applied in 1 file\n"))
        self.assertEqual(self.read("step.cu"), once)
        self.assertEqual(self.run_it("fix", "--rules=redundant-sync"), (0, "", "no edit to make\n"))
        self.assertEqual(self.run_it("check", "--rules=redundant-sync"), (0, "", "no findings; 2 units analysed\n"))

    def test_fix_leaves_alone_what_lies_below_deps_through_links(self):
        twice = STEP.replace("  cudaMemcpy(", "  cudaDeviceSynchronize();\n  // cudaMemcpy(")
        os.makedirs(os.path.join(self.folder, "store/lib"))
        os.makedirs(os.path.join(self.folder, ".git"))
        os.symlink("store", os.path.join(self.folder, "_deps"))
        fix = ["fix", "--rules=redundant-sync", "--no-cache"]
        for name, unit in (("store/lib/step.cu", "_deps/lib/step.cu"), ("store/lib/step.h", "own.cu")):
            self.write(name, twice)
            self.write("own.cu", '#include "_deps/lib/step.h"\n')
            self.database("main.cu", unit)
            code, out, err = self.run_it(*fix)
            self.assertIn("no edit to make", err)
            self.assertEqual(self.read(name), twice)
            self.assertEqual("not fixed: the build has fetched this file (_deps)" in out, unit != "own.cu", out)
        self.database("main.cu", "store/lib/step.cu")
        self.assertEqual(self.run_it(*fix, "_deps/lib/step.cu")[0], 1)
        self.assertEqual(self.read("store/lib/step.cu"), twice)
        self.assertEqual(self.run_it(*fix)[0], 0)
        self.assertNotEqual(self.read("store/lib/step.cu"), twice, "nobody names it below _deps now")

    def test_a_file_with_several_commands_is_said_to_be_read_once(self):
        def entry(file, words):
            return {"directory": self.folder, "file": file, "command": f"nvcc -c {file} {words}"}
        note = "main.cu has several commands in the database; the first of them was read"
        for entries, told in (([entry("main.cu", "-o a.o"), entry("main.cu", "-o b.o")], ""),
                              ([entry("main.cu", "-DA"), entry("main.cu", "-DB"), entry("main.cu", "-DC")], note),
                              ([entry("main.cu", "-DA"), entry("main.cu", "-DB"), entry("step.cu", "-DA"),
                                entry("step.cu", "-DB")], "2 files have several commands in the database (main.cu is "
                                                          "one); the first of each was read")):
            self.write("compile_commands.json", json.dumps(entries + [entry("step.cu", "-DA")]))
            _, out, err = self.run_it("check")
            self.assertEqual([line for line in err.splitlines() if "note" in line],
                             ["syncsniff: note: " + told] if told else [], err)
            self.assertNotIn("note: ", self.run_it("check", "--quiet")[2])
        self.assertNotIn("main.cu has", self.run_it("check", "step.cu")[2])

    def test_a_unit_whose_name_is_latin_1_is_read(self):
        name = os.fsencode(self.folder) + b"/st\xe9p.cu"
        with open(name, "w") as file:
            file.write(STEP)
        entries = [{"directory": self.folder, "file": file, "arguments": ["nvcc", "-c", file]}
                   for file in ("main.cu", "st\udce9p.cu", "half\ud800.cu")]
        for text in (json.dumps(entries).encode(), json.dumps(entries).replace("\\udce9", "\udce9").encode(
                "utf-8", "surrogateescape")):
            with open(os.path.join(self.folder, "compile_commands.json"), "wb") as file:
                file.write(text)
            code, units, findings, err = self.units()
            self.assertEqual([status for status, _ in units.values()].count("analysed"), 2, err)
            self.assertIn("half a surrogate pair", units["compile_commands.json entry 2"][1])
            self.assertIn("redundant-sync", [rule for rule, _, _ in findings])

    def test_fix_leaves_what_only_a_reader_can_judge(self):
        code, diff, _ = self.run_it("fix", "--rules=redundant-sync", "--dry-run")
        self.assertEqual((code, diff), (1, ""))  # there is work for a hand
        self.assertEqual(self.read("step.cu"), STEP)

    def test_a_finding_keeps_its_fingerprint_when_lines_move(self):
        self.run_it("check", "--format=json", "-o", "old.json")
        self.write("step.cu", "// one line more\n\n" + STEP)
        self.assertEqual(self.run_it("check", "--baseline=old.json")[0], 0)

    def test_sarif(self):
        log = json.loads(self.run_it("check", "--format=sarif")[1])
        run = log["runs"][0]
        self.assertEqual(log["version"], "2.1.0")
        self.assertIn("redundant-sync", [result["ruleId"] for result in run["results"]])
        for result in run["results"]:
            self.assertEqual(run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"], result["ruleId"])

    def test_a_unit_that_cannot_be_read_is_never_clean(self):
        self.write("broken.cu", '#include "there_is_no_such_header.h"\nint main() {}\n')
        self.database("broken.cu", "main.cu", "step.cu")
        code, out, err = self.run_it("check", "--format=json")
        units = {unit["file"]: unit for unit in json.loads(out)["units"]}
        self.assertIn(units["broken.cu"]["status"], ("failed", "partial"))
        self.assertIn("there_is_no_such_header.h", units["broken.cu"]["why"])
        self.assertEqual(code, 1)
        self.assertTrue(err.endswith(": not all of the program was checked\n"), err)

    def test_a_file_size_limit_leaves_the_old_report_and_no_half_cache(self):
        os.makedirs(os.path.join(self.folder, "cache"))
        self.write("old.json", "old")
        words = ["check", "--format=json", "-o"]
        free = self.limited(resource.RLIM_INFINITY, *words, "free.json")
        cached = os.path.join(self.folder, "cache", "syncsniff")
        self.assertTrue(any(files for _, _, files in os.walk(cached)))
        shutil.rmtree(cached)
        code, out, err = self.limited(64, *words, "old.json")
        self.assertEqual((code, self.read("old.json")), (2, "old"))
        self.assertTrue(err.startswith("syncsniff: error: old.json: File too large; raise the file size limit "), err)
        self.assertEqual(json.loads(out)["findings"], json.loads(self.read("free.json"))["findings"])
        self.assertEqual(set(os.listdir(cached)) - {"tidied"}, set())
        self.assertEqual([name for name in os.listdir(self.folder) if ".syncsniff-" in name], [])
        # Without -o nothing is in the way: the cache is a help and no need.
        self.assertEqual(self.limited(64, "check", "--format=json")[0], free[0])

    def limited(self, size, *words):
        done = subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, "XDG_CACHE_HOME": os.path.join(self.folder, "cache")},
                              preexec_fn=lambda: self.limit(size))
        return done.returncode, done.stdout, done.stderr

    @staticmethod
    def limit(size):
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python ignores it, which the program would inherit
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))

    # No byte may reach the terminal or the CI log as something to obey.
    def assert_fit(self, *texts):
        for text in texts:
            self.assertNotRegex(text, r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
            self.assertNotRegex(text, r"(?m)^\s*::|##\[|##vso\[")

    def test_names_of_units_and_options_are_told_fit_to_print(self):
        names = ["new\n::error::x.cu", "::error::first.cu", "a\x1b[31m.cu", "b\x9b\u202e.cu", "##[error].cu"]
        loop = "void train%d(float* h, float* d, int n) { for (int i = 0; i < 1000; ++i) step%d(h, d, n); }\n"
        for i, name in enumerate(names):
            self.write(name, STEP.replace("step", f"step{i}") + loop % (i, i))
        self.write("step.cu", '#include "gone\x1b[31m.h"\n' + STEP)
        self.write("compile_commands.json", json.dumps([
            {"directory": self.folder, "file": file,
             "arguments": ["nvcc", "-Xptxas=\x1b[31m\n::error::o", "--no-such\n::error::o", "-c", file]}
            for file in ["main.cu", "step.cu", "gone\n::error::y.cu"] + names]))
        for words in ([], ["--quiet"], ["./" + name for name in names], ["--verbose", "--no-cache"]):
            code, out, err = self.run_it("check", *words)
            self.assertNotEqual(code, 2, err)
            self.assert_fit(out, err)
        self.assertIn(r"new\n::error::x.cu:", out)
        self.assertIn(r"gone\n::error::y.cu: not analysed", err)
        self.assertIn("syncsniff: reading ", err)
        self.assertIn("  ignored option: ", err)
        code, out, err = self.run_it("check", "no\x1b[31m\n::error::such.cu")
        self.assertEqual((code, out, err.count("\n")), (2, "", 1), err)
        self.assert_fit(err)

    def refused(self, part, *words, descriptor=(), **variables):
        begin = time.monotonic()
        done = subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, text=True, timeout=20,
                              pass_fds=descriptor, env={**os.environ, **variables})
        self.assertLess(time.monotonic() - begin, SOON, words)
        self.assertEqual((done.returncode, done.stdout), (2, ""), (words, done.stderr))
        self.assertIn(part, done.stderr, words)
        return done.stderr

    def test_a_pipe_where_a_file_is_expected_is_refused_at_once(self):
        os.mkfifo(os.path.join(self.folder, "pipe"))
        os.mkfifo(os.path.join(self.folder, "pipe.cu"))
        for name in ("pipe", "/dev/zero"):
            kind = f"{name}: is a device, not a regular file; " if name[0] == "/" else f"{name}: is a pipe, not a regular file; "
            self.assertEqual(self.refused(kind, "check", "--baseline", name).count("\n"), 1)
            self.assertEqual(self.refused(kind + "give source files", "check", name).count("\n"), 1)
            self.assertEqual(self.refused(kind.replace(": is", ": cannot be read: is"), "check", "-p", name).count("\n"), 1)
        self.assertEqual(self.refused("pipe.cu: is a pipe", "fix", "pipe.cu").count("\n"), 1)
        self.database("pipe.cu")
        self.refused("pipe.cu: not analysed: " + self.folder + "/pipe.cu: is a pipe, not a regular file", "check")
        for option in ("@pipe", "--options-file=pipe"):
            self.write("compile_commands.json", json.dumps([
                {"directory": self.folder, "file": "main.cu", "command": f"nvcc {option} -c main.cu"}]))
            self.refused(self.folder + "/pipe: response file is a pipe, not a regular file; ", "check")
        self.database("main.cu", "step.cu")
        end, other = os.pipe()  # what a shell puts in the place of <(...)
        self.refused(f"/dev/fd/{end}: is a pipe, not a regular file; ", "check", "--baseline", f"/dev/fd/{end}",
                     descriptor=(end,))
        os.close(end)
        os.close(other)

    def test_a_pipe_among_the_tables_is_refused_and_one_in_the_cache_is_passed_over(self):
        data = os.path.join(os.path.dirname(os.path.realpath(PROGRAM)), "../share/syncsniff")
        mine = os.path.join(self.folder, "data")
        shutil.copytree(data, mine)
        table = os.path.join(mine, "rules/checks/sync-in-loop.yaml")
        os.remove(table)
        os.mkfifo(table)
        self.refused("sync-in-loop.yaml:0: cannot read the file: is a pipe, not a regular file", "check",
                     SYNCSNIFF_DATA_DIR=mine)
        cache = os.path.join(self.folder, "cache/syncsniff")
        words = ["check", "--format=json"]
        first = self.limited(resource.RLIM_INFINITY, *words)
        entries = [name for name in os.listdir(cache) if name.endswith(".facts")]
        self.assertEqual(len(entries), 2)
        for entry in entries:
            os.remove(os.path.join(cache, entry))
            os.mkfifo(os.path.join(cache, entry))
        self.assertEqual(self.limited(resource.RLIM_INFINITY, *words), first)

    def test_a_misspelt_option_gets_the_nearest_one(self):
        for words, nearest in (("check --acept-partial", "--accept-partial"), ("check --rule=x", "--rules"),
                               ("fix --dryrun", "--dry-run")):
            code, _, err = self.run_it(*words.split())
            self.assertEqual(code, 2)
            self.assertTrue(err.endswith(f"; did you mean '{nearest}'?\n"), err)
        self.assertIn("; see `syncsniff fix --help`", self.run_it("fix", "--frobnicate")[2])

    def test_units_that_are_partial_for_one_reason_take_one_line(self):
        self.write("own.h", '#include "gone.h"\n')
        units = ["one.cu", "two.cu", "three.cu"]
        for unit in units:
            self.write(unit, '#include "own.h"\nint f() { return 1; }\n')
        self.write("four.cu", '#include "other.h"\nint f() { return 1; }\n')
        self.database(*units, "four.cu")
        err = self.run_it("check")[2]
        self.assertIn("warning: one.cu and 2 other units: only partly analysed: ", err)
        self.assertIn("warning: four.cu: only partly analysed: ", err)
        self.assertEqual(err.count("only partly analysed"), 2, err)
        self.assertEqual(self.run_it("check", "--verbose")[2].count("only partly analysed"), 4)

    def test_a_file_that_is_no_source_is_told_as_such(self):
        self.write("README.md", "# A program\n")
        code, _, err = self.run_it("check", "README.md")
        self.assertIn("README.md: not analysed: not a C, C++ or CUDA source by its name", err)

    def test_one_line_errors(self):
        self.write("empty.json", "[]")
        self.write("broken.json", "[{")
        for words in (["check", "-p", "gone"], ["check", "-p", "broken.json"], ["check", "-p", "empty.json"],
                      ["check", "gone.cu"], ["check", "--rules=sync-in-lop"], ["fix", "-p", "broken.json"]):
            code, out, err = self.run_it(*words)
            self.assertEqual((code, out, err.count("\n")), (2, "", 1), (words, err))
            self.assertTrue(err.startswith("syncsniff: error: "), err)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
