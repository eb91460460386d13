"""The facts cache and the progress line as a user meets them: touched sources, two runs at once, a terminal, a pipe.

usage: check_cache.py PROGRAM    (syncsniff-analyzer, or the driver)
"""
import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unicodedata
import unittest

PROGRAM = os.path.abspath(sys.argv[1])

STEP = """#include <cuda_runtime.h>
#include "size.h"
__global__ void scale(float* x, int n);
void train%d(float* d) {
  for (int i = 0; i < 1000; ++i) {
    scale<<<1, 1>>>(d, kSize);
    cudaDeviceSynchronize();
  }
}
"""
# Some two seconds of Clang's time.
SLOW = ("template <int N, int M> struct F { static constexpr int v = F<N - 1, 2 * M>::v + F<N - 1, 2 * M + 1>::v; };\n"
        "template <int M> struct F<0, M> { static constexpr int v = M; };\nint slow%d = F<15, 1>::v;\n")


def columns(text):
    return sum(0 if unicodedata.category(c) in ("Mn", "Me", "Cf") else 2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in text)


class Cached(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)
        self.cache = os.path.join(self.folder, "cache")
        self.environment = {**os.environ, "XDG_CACHE_HOME": self.cache, "TERM": "xterm"}
        self.write("size.h", "constexpr int kSize = 100;\n")
        self.files = [f"step{i}.cu" for i in range(4)]
        for i, name in enumerate(self.files):
            self.write(name, STEP % i)
        self.database(*self.files)

    def database(self, *files):
        self.write("compile_commands.json", json.dumps([
            {"directory": self.folder, "file": file, "arguments": ["nvcc", "-std=c++17", "-c", file]} for file in files]))

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)

    def check(self, *words, parsed=None):
        done = subprocess.run([PROGRAM, "check", "--format=json", "--verbose", *words], cwd=self.folder,
                              capture_output=True, text=True, env=self.environment)
        told = re.search(r"(?m)^syncsniff: (\d+) of \d+ units to parse", done.stderr)
        if parsed is not None:
            self.assertEqual(int(told.group(1)), parsed, done.stderr)
        return json.loads(done.stdout)

    def entries(self):
        return [name for name in os.listdir(os.path.join(self.cache, "syncsniff")) if name.endswith(".facts")]

    def test_touched_sources_are_not_parsed_again(self):
        first = self.check(parsed=4)
        for name in [*self.files, "size.h"]:
            os.utime(os.path.join(self.folder, name))
        self.assertEqual(self.check(parsed=0), first)
        time.sleep(2.2)  # from now on their new times are known
        self.assertEqual(self.check(parsed=0), first)
        self.assertEqual(self.check(parsed=0), first)
        self.write("step0.cu", STEP % 0 + "// longer\n")
        self.check(parsed=1)

    def test_files_that_are_checked_out_again_are_not_parsed_again(self):
        self.check(parsed=4)
        for name in [*self.files, "size.h"]:  # as `git checkout` writes them
            path = os.path.join(self.folder, name)
            with open(path) as file:
                text = file.read()
            os.remove(path)
            self.write(name, text)
        self.check(parsed=0)

    def test_a_link_that_becomes_a_file_of_the_same_content_is_another_unit(self):
        os.rename(os.path.join(self.folder, "step0.cu"), os.path.join(self.folder, "store.cu"))
        os.symlink("store.cu", os.path.join(self.folder, "step0.cu"))
        files = lambda document: {os.path.basename(f["location"]["file"]) for f in document["findings"]}
        self.assertIn("store.cu", files(self.check(parsed=4)))
        os.remove(os.path.join(self.folder, "step0.cu"))
        self.write("step0.cu", STEP % 0)
        found = files(self.check(parsed=1))
        self.assertIn("step0.cu", found)
        self.assertNotIn("store.cu", found)

    def test_a_header_that_was_a_link_is_read_again(self):
        self.write("old.h", "#include <cuda_runtime.h>\n__global__ void probe();\ninline void wait_for_all() {\n"
                   "  probe<<<1, 1>>>();\n  cudaDeviceSynchronize();\n  probe<<<1, 1>>>();\n}\n")
        os.symlink("old.h", os.path.join(self.folder, "wait.h"))
        self.write("step0.cu", '#include "wait.h"\n' + (STEP % 0).replace("cudaDeviceSynchronize()", "wait_for_all()"))
        files = lambda document: {os.path.basename(f["location"]["file"]) for f in document["findings"]}
        self.assertIn("old.h", files(self.check(parsed=4)))
        self.check(parsed=0)
        os.remove(os.path.join(self.folder, "wait.h"))
        os.rename(os.path.join(self.folder, "old.h"), os.path.join(self.folder, "wait.h"))
        self.assertNotIn("old.h", files(self.check(parsed=1)))
        os.rename(os.path.join(self.folder, "wait.h"), os.path.join(self.folder, "new.h"))
        os.symlink("new.h", os.path.join(self.folder, "wait.h"))
        self.assertIn("new.h", files(self.check(parsed=1)))

    def test_content_of_the_same_size_and_time_is_parsed_again(self):
        first = self.check(parsed=4)
        path = os.path.join(self.folder, "step0.cu")
        time.sleep(2.2)
        self.check(parsed=0)
        before = os.stat(path)
        self.write("step0.cu", (STEP % 0).replace("    cudaDevice", "  //cudaDevice"))
        self.assertEqual(os.stat(path).st_size, before.st_size)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        self.assertEqual(len(self.check(parsed=1)["findings"]), len(first["findings"]) - 1)

    def test_a_partial_unit_is_parsed_again_when_its_header_appears(self):
        self.write("step0.cu", '#include "late/header.h"\n' + STEP % 0)
        first = self.check(parsed=4)
        self.assertEqual([unit["status"] for unit in first["units"]], ["partial"] + ["analysed"] * 3)
        self.assertEqual(self.check(parsed=0), first)
        os.mkdir(os.path.join(self.folder, "late"))
        self.write("late/header.h", "")
        self.assertEqual([unit["status"] for unit in self.check(parsed=1)["units"]], ["analysed"] * 4)

    def test_a_unit_that_took_too_long_is_not_kept(self):
        self.write("step0.cu", (SLOW % 0).replace("F<15", "F<22") + STEP % 0)
        self.assertIn("over 1 s", self.check("--unit-seconds=1")["units"][0]["why"])
        self.assertEqual(len(self.entries()), 3)
        self.check("--unit-seconds=1", parsed=1)

    def test_runs_at_once_find_what_one_finds(self):
        alone = self.check("--no-cache")
        for round in range(3):
            self.write("size.h", f"constexpr int kSize = {round};\n")
            runs = [subprocess.Popen([PROGRAM, "check", "--format=json"], cwd=self.folder, text=True,
                                     stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=self.environment)
                    for _ in range(3)]
            for run in runs:
                self.assertEqual(json.loads(run.communicate()[0]), alone)
            self.assertEqual(self.check(), alone)
        self.assertEqual(len(self.entries()), 8, "four units, and each as it was before the last edit")

    def test_cut_off_and_senseless_entries_cost_time_alone(self):
        first = self.check()
        folder = os.path.join(self.cache, "syncsniff")
        for damage in (lambda data: data[:len(data) // 2], lambda data: b"", lambda data: os.urandom(len(data)),
                       lambda data: data[:-1] + bytes([data[-1] ^ 1]), lambda data: data + b"x"):
            for name in self.entries():
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    data = file.read()
                with open(path, "wb") as file:
                    file.write(damage(data))
            self.assertEqual(self.check(parsed=4), first)

    def on_terminal(self, *words, wide=60):
        """What the run writes to a terminal of so many columns, as (seconds since its start, text)."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, wide, 0, 0))
        began = time.monotonic()
        run = subprocess.Popen([PROGRAM, "check", "--jobs=1", "--no-cache", *words], cwd=self.folder, env=self.environment,
                               stdout=subprocess.PIPE, stderr=theirs)
        os.close(theirs)
        parts = []
        while True:
            select.select([ours], [], [])
            try:
                data = os.read(ours, 65536)
            except OSError:
                break
            if not data:
                break
            parts.append((time.monotonic() - began, data))
        os.close(ours)
        out = run.communicate()[0]
        return parts, b"".join(data for _, data in parts).decode(), out.decode()

    def slow_units(self, names):
        for i, name in enumerate(names):
            self.write(name, SLOW % i + (STEP % i).replace('#include "size.h"', "constexpr int kSize = 1;"))
        self.database(*names)

    def test_a_terminal_sees_how_far_the_run_is(self):
        names = ["学習/とても長い名前のフォルダー/訓練ループ.cu", "ฝึกสอน/ขั้นตอนการฝึกที่มีชื่อยาวมากๆ.cu", "plain.cu"]
        for name in names:
            os.makedirs(os.path.join(self.folder, os.path.dirname(name)), exist_ok=True)
        self.slow_units(names)
        parts, text, out = self.on_terminal()
        self.assertLess(parts[0][0], 1.5)  # a second, on a machine that is busy
        *lines, rest = text.split("\r\x1b[K")
        lines = [line for line in lines if line]
        self.assertTrue(any(line.startswith("0 of 3 units") and line.endswith("訓練ループ.cu") for line in lines), lines)
        self.assertTrue(any(re.match(r"1 of 3 units, about \d+ s left  \S+\.cu$", line) for line in lines), lines)
        self.assertTrue(any("..." in line for line in lines), "no name had to be cut")
        for line in lines:
            self.assertLess(columns(line), 60, line)
            self.assertNotIn("\n", line)
        self.assertIn("3 units analysed", rest)
        self.assertNotIn(" of 3 units", rest + out)

    def test_nothing_of_it_in_a_pipe_or_with_quiet(self):
        self.slow_units(["one.cu"])
        done = subprocess.run([PROGRAM, "check", "--no-cache"], cwd=self.folder, capture_output=True, env=self.environment)
        self.assertNotIn(b"\r", done.stderr + done.stdout)
        self.assertNotIn(b" of 1 unit", done.stderr + done.stdout)
        self.assertEqual(self.on_terminal("--quiet")[0], [])
        self.environment["TERM"] = "dumb"
        self.assertNotIn("\x1b", self.on_terminal()[1])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
