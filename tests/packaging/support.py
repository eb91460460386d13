"""Shared by the tests of packages: an installed tree is put to work on the sample and over the fake driver."""
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
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

    def alone_on_a_system(self, root, programs, parts):
        """The files below `root` with the C library and what they depend on, and nothing else of this machine. `programs`
        and `parts`: the folders of `syncsniff` and of what it starts, relative to `root`."""
        if run("unshare", "-rm", "true", status=None).returncode != 0:
            print("not tried in a bare root: no user namespaces here")
            return
        program, parts = root / programs / "syncsniff", root / parts
        of_run = ["-p", program] + (["-p", parts / "syncsniff-instrument"] if HAS_RUN else [])

        def there(*words, status, lets=()):
            return run("unshare", "-rm", SOURCE / "tests/packaging/bare_root.sh", root, *of_run, *lets, "--",
                       f"/{programs}/syncsniff", *words, status=status)

        self.assertIn("sync-in-loop", there("rules", status=0).stdout)
        if HAS_RUN:
            lets = ["-p", CLIENT, "-d", CLIENT, "-d", BUILD / "tests/fake_driver", "-p", "/usr/bin/env", "-d", "/usr/bin/env"]
            (root / "tmp/a.sstrace").unlink(missing_ok=True)
            told = there("run", "-o", "/tmp/a.sstrace", "/usr/bin/env", f"LD_LIBRARY_PATH={BUILD}/tests/fake_driver",
                         "FAKE_CUDA_KERNEL_US=1", CLIENT, "proc", "wait_for_stream", status=7, lets=lets)
            self.assertIn("trace: /tmp/a.sstrace", told.stderr)
            self.assertTrue((root / "tmp/a.sstrace").stat().st_size)
        if HAS_ANALYZER:
            run(SOURCE / "scripts/sample-db", self.folder / "db", "bad")
            check = ("check", "-p", self.folder / "db", "--quiet", "--no-cache")
            lets = ["-d", SOURCE, "-d", self.folder / "db"]
            told = there(*check, status=2, lets=lets).stderr
            self.assertRegex(told, r"^syncsniff: error: check: needs what is not on this machine: .*libclang-cpp\.so\.19\.1")
            self.assertIn("apt install libclang-cpp19 libclang-common-19-dev", told)
            lets += ["-p", parts / "syncsniff-analyzer"]
            lets += [word for folder in ("/usr/lib/llvm-19/lib/clang", "/usr/include", "/usr/lib/gcc")
                     for word in ("-d", folder)]
            self.assertIn("[sync-in-loop]", there(*check, status=1, lets=lets).stdout)
            self.guards_commits(root, programs, [*of_run, *lets])

    def guards_commits(self, root, programs, lets):
        """A real pre-commit with git and Python beside the package, and nothing of the build: refused, taken, a baseline,
        a partly staged file, a new call of an old function that waits."""
        venv = self.folder / "hook"
        run(sys.executable, "-m", "venv", venv)
        installed = run(venv / "bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check", "pre-commit",
                        status=None)
        if installed.returncode != 0:
            print("no commit was tried in a bare root: pip cannot install pre-commit:", installed.stderr.strip())
            return
        standard = pathlib.Path(sysconfig.get_path("stdlib"))
        tools = [shutil.which(tool) for tool in (
            "bash", "cat", "chmod", "cp", "dirname", "env", "git", "grep", "head", "mkdir", "mktemp", "rm", "sed", "tail", "uname")]
        lets = [*lets, "-d", "/dev/urandom"]
        for folder in (venv, standard, run("git", "--exec-path").stdout.strip(), "/usr/share/git-core"):
            lets += ["-d", folder] if os.path.exists(folder) else []
        python = venv / "bin/python3"
        while python.is_symlink():  # every name on the way to the interpreter
            python = python.parent / os.readlink(python)
            tools.append(python)
        for program in tools:
            lets += ["-p", program, "-d", program]
        for module in (standard / "lib-dynload").glob("*.so"):
            lets += ["-p", module]
        done = run("unshare", "-rm", SOURCE / "tests/packaging/bare_root.sh", root, *lets, "--", "/bin/bash",
                   SOURCE / "tests/e2e/pre_commit_test.sh", SOURCE, f"/{programs}", venv)
        self.assertIn("refused with the wait, taken without it", done.stdout)
