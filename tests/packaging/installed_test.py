"""cmake --install: the tree is whole, works where it was moved to, and serves a project that finds it with CMake."""
import pathlib
import shutil
import tempfile
import unittest

from support import BUILD, HAS_ANALYZER, HAS_RUN, SOURCE, Installed, run


class InATree(Installed):
    """The tree is installed once, and moved; no test changes it."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        first, cls.prefix = (pathlib.Path(folder.name) / name for name in ("first", "moved to a path with spaces"))
        run("cmake", "--install", BUILD, "--prefix", first, "--strip")
        shutil.move(first, cls.prefix)
        cls.program = cls.prefix / "bin/syncsniff"


class InstalledTree(InATree):
    def test_works_where_it_was_moved_to(self):
        self.put_to_work(self.program)

    def test_holds_what_a_package_holds_and_nothing_of_the_build(self):
        wanted = ["share/doc/syncsniff/LICENSE", "share/doc/syncsniff/docs/check.md", "share/man/man1/syncsniff.1",
                  "share/syncsniff/rules/checks/tables.bin", "share/syncsniff/rules/words.yaml",
                  "share/bash-completion/completions/syncsniff", "share/zsh/site-functions/_syncsniff",
                  "share/fish/vendor_completions.d/syncsniff.fish", "include/syncsniff/readback.h"]
        wanted += ["libexec/syncsniff/syncsniff-analyzer", "share/man/man1/syncsniff-check.1",
                   "share/syncsniff/clang-headers/syncsniff_prelude.h"] if HAS_ANALYZER else []
        wanted += ["libexec/syncsniff/syncsniff-instrument", "share/man/man1/syncsniff-run.1"] if HAS_RUN else []
        self.assertEqual([name for name in wanted if not (self.prefix / name).is_file()], [])
        self.assertEqual([path.name for path in (self.prefix / "bin").iterdir()], ["syncsniff"])
        links = [path for path in self.prefix.rglob("*") if path.is_symlink()]
        self.assertEqual(links, [])
        for path in (self.prefix / "bin/syncsniff", *(self.prefix / "libexec/syncsniff").iterdir()):
            said = run("readelf", "-Wd", path).stdout
            self.assertNotIn("RUNPATH", said)
            self.assertNotIn("RPATH", said)


@unittest.skipUnless(HAS_ANALYZER, "the analyzer is not built")
class Consumer(InATree):
    """tests/packaging/consumer finds the installed tree; one of its targets waits in its loop, the other does not."""

    def configure(self, *options, status=0):
        return run("cmake", "-S", SOURCE / "tests/packaging/consumer", "-B", self.folder / "build",
                   f"-DCMAKE_PREFIX_PATH={self.prefix}", *options, status=status)

    def build(self, target, status=0):
        done = run("cmake", "--build", self.folder / "build", "--target", target, status=None,
                   XDG_CACHE_HOME=self.folder / "cache")
        self.assertEqual(done.returncode != 0, status != 0, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_a_target_with_a_wait_fails_and_one_without_passes(self):
        for generator in ("Ninja", "Unix Makefiles"):
            if generator == "Ninja" and not shutil.which("ninja"):
                continue
            with self.subTest(generator):
                shutil.rmtree(self.folder / "build", ignore_errors=True)
                self.configure("-G", generator)
                told = self.build("waits_syncsniff", status=1)
                self.assertRegex(told, r"waits/step\.cpp:\d+:\d+: warning: .* \[sync-in-loop\]")
                self.assertNotIn("overlaps", told)
                self.assertNotIn("sync-in-loop", self.build("quiet_check"))
                self.build("syncsniff_check", status=1)

    def test_fail_level_and_arguments_reach_the_check(self):
        self.configure("-DLEVEL=never")
        self.assertIn("sync-in-loop", self.build("waits_syncsniff"))
        self.configure("-DLEVEL=never", "-DARGUMENTS=--rules=alloc-in-loop")
        self.assertNotIn("sync-in-loop", self.build("waits_syncsniff"))

    def test_a_generated_source_is_found_in_the_build_folder(self):
        self.configure("-DTARGET=generates", "-DLEVEL=never")
        shutil.copy(SOURCE / "tests/packaging/consumer/waits/step.cpp", self.folder / "build/made.cpp")
        self.assertIn("1 unit analysed", self.build("generates_syncsniff"))

    def test_mistakes_are_told(self):
        for option, said in (("-DTARGET=none", "none: no such target"),
                             ("-DTARGET=headers", "headers: has no C, C++ or CUDA source of its own"),
                             ("-DTARGET=consumer::waits", "consumer::waits: is another name of waits"), ("-DLEVEL=loud", "FAIL_LEVEL loud: use info"),
                             ("-DPRETEND_GENERATOR=Visual Studio 17 2022", "writes no compile_commands.json"),
                             ("-DSYNCSNIFF_EXECUTABLE=", "the program syncsniff was not found")):
            shutil.rmtree(self.folder / "build", ignore_errors=True)
            extra = ["-DHIDE_PROGRAM=ON"] if option.endswith("=") else []
            self.assertIn(said, " ".join(self.configure(option, *extra, status=1).stderr.split()))


if __name__ == "__main__":
    unittest.main()
