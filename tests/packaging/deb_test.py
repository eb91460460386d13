"""The packages that cpack makes: what they say of themselves, and at work from where dpkg unpacks them."""
import pathlib
import re
import shutil
import sys
import unittest

from support import BUILD, HAS_ANALYZER, Installed, run

for tool in ("cpack", "dpkg-deb", "dpkg-shlibdeps", "gzip"):
    if not shutil.which(tool):
        print(f"skipped: no {tool} here")
        sys.exit(77)


class Packages(Installed):
    def setUp(self):
        super().setUp()
        out = self.folder / "out"
        run("cpack", "--config", BUILD / "CPackConfig.cmake", "-G", "TGZ;DEB", "-B", out, cwd=self.folder)
        self.packages = {path.name.split("_")[0]: path for path in out.glob("*.deb")}
        self.archive = next(out.glob("*.tar.gz"))

    def field(self, package, name):
        return run("dpkg-deb", "-f", self.packages[package], name).stdout.strip()

    def listing(self, package):
        """{path: mode}"""
        lines = run("dpkg-deb", "-c", self.packages[package]).stdout.splitlines()
        return {line.split()[5]: line.split()[0] for line in lines}

    def test_all_of_it(self):
        """One test: to make the packages takes 15 s."""
        self.assertEqual(sorted(self.packages), ["syncsniff"] * HAS_ANALYZER + ["syncsniff-run"])
        for package in self.packages:
            self.stands_as_policy_wants(package)
        needs = self.field("syncsniff-run", "Depends")
        self.assertNotRegex(needs, "llvm|clang|yaml")
        if HAS_ANALYZER:
            version = self.field("syncsniff", "Version")
            needs = self.field("syncsniff", "Depends")
            for package in (f"syncsniff-run (= {version})", "libclang-cpp19", "libllvm19", "libclang-common-19-dev"):
                self.assertIn(package, needs)
            self.assertNotRegex(needs, "cuda")
            self.assertRegex(self.field("syncsniff", "Recommends"), "cuda")
            self.assertEqual(set(self.files("syncsniff")) & set(self.files("syncsniff-run")), set())
        root = self.folder / "root"
        for path in self.packages.values():
            run("dpkg-deb", "-x", path, root)
        self.put_to_work(root / "usr/bin/syncsniff")
        self.alone_on_a_system(root, "usr/bin", "usr/libexec/syncsniff")
        run("tar", "-xzf", self.archive, "-C", self.folder)
        self.put_to_work(next(self.folder.glob("syncsniff-*/bin/syncsniff")))
        if shutil.which("lintian"):
            told = run("lintian", "--allow-root", "--fail-on", "error,warning", *self.packages.values(), status=None)
            self.assertEqual((told.returncode, told.stdout), (0, ""))

    def files(self, package):
        return [path for path in self.listing(package) if not path.endswith("/")]

    def stands_as_policy_wants(self, package):
        listed = self.listing(package)
        self.assertIn("Maintainer: syncsniff maintainers", run("dpkg-deb", "-I", self.packages[package]).stdout)
        self.assertTrue(re.fullmatch(r"\d+\.\d+\.\d+", self.field(package, "Version")))
        for name in ("copyright", "changelog.gz"):
            self.assertIn(f"./usr/share/doc/{package}/{name}", listed)
        for path, mode in listed.items():
            self.assertTrue(path.startswith("./usr/") or path == "./", path)
            self.assertIn(mode, ("drwxr-xr-x", "-rw-r--r--", "-rwxr-xr-x"), path)
            if "/man1/" in path and not path.endswith("/"):
                self.assertTrue(path.endswith(".1.gz"), path)
        folder = self.folder / ("of-" + package)
        run("dpkg-deb", "-x", self.packages[package], folder)
        programs = [*folder.glob("usr/bin/*"), *folder.glob("usr/libexec/syncsniff/*"), *folder.rglob("*.so")]
        self.assertTrue(programs)
        for path in programs:
            self.assertNotIn(".symtab", run("readelf", "-SW", path).stdout, f"{path}: not stripped")


if __name__ == "__main__":
    unittest.main()
