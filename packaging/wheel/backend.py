"""The wheel's way from sources: `scripts/build-wheel`, and the hooks of PEP 517 for `pip install .`.

Nothing but Python, CMake, a C++ compiler and the libraries that the build needs; without LLVM 19 the wheel holds the run
side alone.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import wheel_file  # noqa: E402

SOURCE = pathlib.Path(__file__).resolve().parents[2]
LLVM = ("/usr/lib/llvm-19/lib/cmake/clang/ClangConfig.cmake", "/usr/lib/llvm-19/lib/cmake/llvm/LLVMConfig.cmake")


def version():
    text = (SOURCE / "CMakeLists.txt").read_text()
    return re.search(r"^project\(syncsniff VERSION ([0-9.]+)", text, re.M).group(1)


def log(line):
    print(f"build-wheel: {line}", file=sys.stderr, flush=True)


def cache_entry(build, name):
    text = (build / "CMakeCache.txt").read_text()
    found = re.search(rf"^{name}:\w+=(.*)$", text, re.M)
    return found.group(1) if found else ""


def build_project(build, run_only):
    analyzer = not run_only and (all(os.path.exists(file) for file in LLVM) or "LLVM_DIR" in os.environ)
    if not analyzer and not run_only:
        log("no LLVM 19 here (libclang-19-dev, llvm-19-dev), so the wheel is without `check` and `fix`")
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    subprocess.run(["cmake", "-S", SOURCE, "-B", build, *generator, "-DCMAKE_BUILD_TYPE=Release", "-DSYNCSNIFF_TESTS=OFF",
                    f"-DSYNCSNIFF_ANALYZER={'ON' if analyzer else 'OFF'}"], check=True, stdout=sys.stderr)
    subprocess.run(["cmake", "--build", build, "--target", "syncsniff_installed", "-j", str(os.cpu_count() or 1)],
                   check=True, stdout=sys.stderr)


def make_wheel(out, build=None, run_only=False):
    """build: a folder in which all is built already; without it build-wheel/ is made. Returns the wheel's path."""
    if build is None:
        build = SOURCE / ("build-wheel-run" if run_only else "build-wheel")
        build_project(build, run_only)
    build = pathlib.Path(build)
    components = ["run"]
    if not run_only and cache_entry(build, "SYNCSNIFF_ANALYZER") == "ON":
        components.append("check")
    with tempfile.TemporaryDirectory() as folder:
        for component in components:
            subprocess.run(["cmake", "--install", build, "--prefix", folder, "--component", component, "--strip"],
                           check=True, stdout=subprocess.DEVNULL)
        path, why = wheel_file.write_wheel(folder, SOURCE, version(), out)
    log(f"{path}: {path.stat().st_size / 1e6:.1f} MB; its tag: {why}")
    return path


# PEP 517

def get_requires_for_build_wheel(config_settings=None):
    return [] if shutil.which("cmake") else ["cmake>=3.25"]


def get_requires_for_build_sdist(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """Without it pip would build the wheel twice."""
    folder = pathlib.Path(metadata_directory) / f"syncsniff-{version()}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(wheel_file.metadata(version(), (SOURCE / "README.md").read_text()))
    (folder / "WHEEL").write_text(wheel_file.wheel_text("py3-none-linux_x86_64"))
    return folder.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    settings = config_settings or {}
    return make_wheel(wheel_directory, settings.get("build-dir"), "run-only" in settings).name


def build_sdist(sdist_directory, config_settings=None):
    name = f"syncsniff-{version()}"
    listed = subprocess.run(["git", "-C", SOURCE, "ls-files", "-z"], check=True, capture_output=True, text=True).stdout
    path = pathlib.Path(sdist_directory) / f"{name}.tar.gz"
    with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for file in sorted(listed.split("\0")):
            if file and (SOURCE / file).is_file():
                archive.add(SOURCE / file, f"{name}/{file}")
        with tempfile.NamedTemporaryFile("w", suffix="PKG-INFO") as info:
            info.write(wheel_file.metadata(version(), ""))
            info.flush()
            archive.add(info.name, f"{name}/PKG-INFO")
    return path.name
