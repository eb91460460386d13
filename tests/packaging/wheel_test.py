"""The wheel, offline: what it says of itself is so; pip puts it into an environment, it works there, and pip takes it out."""
import base64
import csv
import hashlib
import io
import pathlib
import sys
import tarfile
import tempfile
import unittest
import zipfile

from support import BUILD, HAS_ANALYZER, HAS_RUN, SOURCE, Installed, run

sys.path.insert(0, str(SOURCE / "packaging/wheel"))
import wheel_file  # noqa: E402


def make(folder, *options):
    done = run(SOURCE / "scripts/build-wheel", "--build-dir", BUILD, "-o", folder, *options, SOURCE_DATE_EPOCH=1700000000)
    return pathlib.Path(done.stdout.strip())


class Wheel(Installed):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.whole = make(folder.name)
        cls.run_only = make(folder.name, "--run-only")

    def test_record_metadata_and_tag(self):
        path = self.whole
        with zipfile.ZipFile(path) as wheel:
            info = next(name.split("/")[0] for name in wheel.namelist() if ".dist-info/" in name)
            rows = list(csv.reader(io.StringIO(wheel.read(f"{info}/RECORD").decode())))
            self.assertEqual(sorted(row[0] for row in rows), sorted(wheel.namelist()))
            for name, digest, size in rows:
                if name.endswith("/RECORD"):
                    continue
                data = wheel.read(name)
                self.assertEqual(int(size), len(data))
                wanted = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                self.assertEqual(digest, f"sha256={wanted}")
            tag = path.stem.split("-", 2)[2]
            self.assertIn(f"Tag: {tag}\n", wheel.read(f"{info}/WHEEL").decode())
            self.assertIn(f"Version: {path.stem.split('-')[1]}\n", wheel.read(f"{info}/METADATA").decode())
        self.assertEqual(make(self.folder / "again").read_bytes(), path.read_bytes())

    def test_the_tag_is_what_the_programs_need(self):
        if HAS_ANALYZER:
            self.assertTrue(self.whole.name.endswith("-py3-none-linux_x86_64.whl"))
        self.assertRegex(self.run_only.name, r"-py3-none-manylinux_2_\d+_x86_64\.whl$")
        needed = [wheel_file.needs_of(path) for path in (BUILD / "bin/syncsniff", BUILD / "bin/syncsniff-instrument",
                                                         BUILD / "lib/syncsniff/libsyncsniff_shim.so")]
        newest = max(int(symbol.split(".")[1]) for _, symbols in needed for symbol in symbols
                     if symbol.startswith("GLIBC_2."))
        self.assertGreaterEqual(int(self.run_only.name.split("_")[2]), newest)

    def test_symbols_name_their_glibc(self):
        self.assertEqual([wheel_file.glibc_minor(symbol) for symbol in
                          ("GLIBC_2.2.5", "GLIBC_2.36", "GLIBCXX_3.4", "GLIBCXX_3.4.29", "GLIBCXX_3.4.30", "GLIBCXX_3.4.99",
                           "CXXABI_1.3", "CXXABI_1.3.15")], [2, 36, 28, 34, 35, None, 28, 39])

    def test_works_in_an_environment_and_leaves_it(self):
        venv = self.folder / "venv"
        run(sys.executable, "-m", "venv", venv)
        files = lambda: {path for path in venv.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
        before = files()
        run(venv / "bin/pip", "install", "--no-index", "--disable-pip-version-check", self.whole)
        self.put_to_work(venv / "bin/syncsniff")
        self.assertEqual(run(venv / "bin/python", "-m", "syncsniff", "rules").stdout, run(venv / "bin/syncsniff", "rules").stdout)
        with open(venv / "bin/syncsniff", "rb") as program:
            self.assertEqual(program.read(4), b"\x7fELF")  # no Python to start first
        run(venv / "bin/pip", "uninstall", "-y", "syncsniff")
        self.assertEqual(files(), before)

    def test_pip_installs_the_sources_by_the_projects_own_backend(self):
        run(sys.executable, "-m", "venv", self.folder / "venv")
        run(self.folder / "venv/bin/pip", "install", "--no-index", "--config-settings", f"build-dir={BUILD}", SOURCE)
        self.put_to_work(self.folder / "venv/bin/syncsniff")

    @unittest.skipUnless((SOURCE / ".git").exists(), "not a clone")
    def test_an_archive_of_the_sources_has_all_of_them(self):
        import backend
        name = backend.build_sdist(self.folder)
        with tarfile.open(self.folder / name) as archive:
            held = {path.split("/", 1)[1] for path in archive.getnames()}
        self.assertTrue({"PKG-INFO", "pyproject.toml", "CMakeLists.txt", "packaging/wheel/backend.py",
                         "rules/words.yaml"} <= held)
        self.assertFalse({path for path in held if path.startswith(("build", "dist"))})

    def test_works_below_a_target_folder(self):
        target = self.folder / "target"
        run(sys.executable, "-m", "venv", self.folder / "venv")
        run(self.folder / "venv/bin/pip", "install", "--no-index", "--target", target, self.whole)
        self.put_to_work(target / "bin/syncsniff")
        told = run(sys.executable, "-m", "syncsniff", "--version", PYTHONPATH=target)
        self.assertTrue(told.stdout.startswith("syncsniff "))

    def test_works_alone_on_a_system(self):
        """Without Python, too: the programs of the wheel need none."""
        root = self.folder / "root"
        run(sys.executable, "-m", "venv", self.folder / "venv")
        run(self.folder / "venv/bin/pip", "install", "--no-index", "--target", root / "opt", self.whole)
        parts = next((root / "opt").rglob("syncsniff-instrument" if HAS_RUN else "syncsniff-analyzer")).parent
        self.alone_on_a_system(root, "opt/bin", parts.relative_to(root))


if __name__ == "__main__":
    unittest.main()
