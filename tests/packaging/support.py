"""Shared by the tests of packages: an installed tree is put to work on the sample and over the fake driver."""
import os
import pathlib
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ["SYNCSNIFF_BUILD_DIR"]).resolve()
HAS_ANALYZER = os.environ.get("SYNCSNIFF_HAS_ANALYZER") == "ON"
HAS_RUN = os.environ.get("SYNCSNIFF_HAS_RUN") == "ON"
CLIENT = BUILD / "tests/clients/syncsniff_driver_client"


def environment(**more):
    """Nothing of the build tree leads the installed programs."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SYNCSNIFF_")}
    return {**kept, **{name: str(value) for name, value in more.items()}}


def run(*words, status=0, cwd=None, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=cwd, env=environment(**more))
    if status is not None and done.returncode != status:
        raise AssertionError(f"{words}: status {done.returncode}, not {status}\n{done.stdout}{done.stderr}")
    return done


class Installed(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()

    def put_to_work(self, program):
        """check on the stalling sample, run and report over the fake driver, rules: all from `program`'s own tree."""
        self.assertRegex(run(program, "--version").stdout, r"^syncsniff \d+\.\d+\.\d+\n$")
        self.assertIn("sync-in-loop", run(program, "rules").stdout)
        if HAS_ANALYZER:
            self.check_finds(program)
        if HAS_RUN:
            self.run_reports(program)

    def check_finds(self, program):
        run(SOURCE / "scripts/sample-db", self.folder / "db", "bad")
        done = run(program, "check", "-p", self.folder / "db", "--quiet", status=1, XDG_CACHE_HOME=self.folder / "cache")
        self.assertRegex(done.stdout, r"train\.cu:\d+:\d+: warning: .* \[sync-in-loop\]")

    def run_reports(self, program):
        trace = self.folder / "a.sstrace"
        trace.unlink(missing_ok=True)  # `run` replaces none
        done = run(program, "run", "-o", trace, "--", CLIENT, "proc", "wait_for_stream", status=7, cwd=self.folder,
                   LD_LIBRARY_PATH=BUILD / "tests/fake_driver", FAKE_CUDA_KERNEL_US=1)
        self.assertIn("cuStreamSynchronize" if "cuStream" in done.stderr else "cudaStreamSynchronize", done.stderr)
        self.assertTrue(run(program, "report", trace).stdout)
        self.assertTrue(run(program, "dump", trace).stdout.startswith("# syncsniff dump"))
