"""A wheel of an installed tree: its tag by what the programs need, its files, its RECORD. Standard library alone.

The tree's bin/ becomes the wheel's scripts, all else its data: pip puts both below one prefix, so the programs find their
parts there as they do in /usr.
"""
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import time
import zipfile

# What every Linux has that PEP 600 speaks of; a wheel that needs another library has no manylinux tag.
SYSTEM_LIBRARIES = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libgcc_s.so.1",
                    "libstdc++.so.6", "ld-linux-x86-64.so.2"}
# The oldest glibc beside which distributions ship a C++ library with these symbols (GCC 8, 10, 11, 12, 13, 14).
CXX_AMONG_GLIBC = {"GLIBCXX_3.4": [(25, 28), (28, 31), (29, 34), (30, 35), (32, 38), (33, 39)],
                   "CXXABI_1.3": [(11, 28), (12, 31), (13, 34), (14, 38), (15, 39)]}
OLDEST_GLIBC = 17  # of manylinux2014


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def needs_of(path):
    """(libraries, {"GLIBC_2.34", ...}) of one program."""
    text = subprocess.run(["objdump", "-p", str(path)], check=True, capture_output=True, text=True).stdout
    libraries = set(re.findall(r"^\s+NEEDED\s+(\S+)", text, re.M))
    return libraries, set(re.findall(r"\b((?:GLIBC|GLIBCXX|CXXABI)_[0-9.]+)\b", text))


def glibc_minor(symbol):
    """The 34 of the oldest glibc 2.34 that comes with `symbol`; None: not known."""
    name, _, version = symbol.rpartition("_")
    numbers = [int(part) for part in version.split(".")]
    if name == "GLIBC":
        return numbers[1]
    last = numbers[2] if len(numbers) > 2 else 0
    steps = CXX_AMONG_GLIBC[name + "_" + ".".join(map(str, numbers[:2]))]
    return next((glibc for newest, glibc in steps if last <= newest), None)


def platform_tag(programs):
    """("manylinux_2_35_x86_64", why) or ("linux_x86_64", why)."""
    minor, highest = OLDEST_GLIBC, "nothing newer"
    for path in programs:
        libraries, symbols = needs_of(path)
        foreign = sorted(libraries - SYSTEM_LIBRARIES)
        if foreign:
            return "linux_x86_64", f"{path.name} needs {', '.join(foreign)}, which no manylinux has"
        for symbol in sorted(symbols):
            of_symbol = glibc_minor(symbol)
            if of_symbol is None:
                return "linux_x86_64", f"{path.name} needs {symbol}, newer than any manylinux known here"
            if of_symbol > minor:
                minor, highest = of_symbol, f"{path.name} needs {symbol}"
    return f"manylinux_2_{minor}_x86_64", highest


def metadata(version, readme):
    return f"""Metadata-Version: 2.1
Name: syncsniff
Version: {version}
Summary: Finds where a GPU training program waits, in its sources and while it runs
Author: syncsniff maintainers
Author-email: maintainers@users.noreply.example
License: Apache-2.0
Classifier: Operating System :: POSIX :: Linux
Classifier: Environment :: GPU :: NVIDIA CUDA
Classifier: Topic :: Software Development :: Quality Assurance
Requires-Python: >=3.8
Description-Content-Type: text/markdown

{readme}"""


def wheel_text(tag):
    return f"Wheel-Version: 1.0\nGenerator: syncsniff build-wheel\nRoot-Is-Purelib: false\nTag: {tag}\n"


def place_of(name):
    if name.startswith("bin/"):
        return "scripts/" + name[len("bin/"):]
    if name.startswith("lib/syncsniff/"):  # pip --target leaves out data below lib
        return "data/libexec/syncsniff/" + name[len("lib/syncsniff/"):]
    return "data/" + name


class Wheel:
    """Writes files and their hashes; the same files give the same bytes."""

    def __init__(self, path, info):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9)
        self.info = info
        self.record = []
        self.date = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", "315532800")), 315532800))[:6]

    def add(self, name, data, executable=False):
        entry = zipfile.ZipInfo(name, self.date)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o100755 if executable else 0o100644) << 16
        self.zip.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(data)}")

    def close(self):
        name = f"{self.info}/RECORD"
        entry = zipfile.ZipInfo(name, self.date)
        entry.external_attr = 0o100644 << 16
        self.zip.writestr(entry, "\n".join(self.record + [f"{name},,", ""]))
        self.zip.close()


def write_wheel(tree, source, version, out):
    """Returns (path, why it has its tag)."""
    tree, source, out = pathlib.Path(tree), pathlib.Path(source), pathlib.Path(out)
    files = sorted(path for path in tree.rglob("*") if path.is_file())
    platform, why = platform_tag([path for path in files if is_elf(path)])
    tag = f"py3-none-{platform}"
    name = f"syncsniff-{version}"
    path = out / f"{name}-{tag}.whl"
    out.mkdir(parents=True, exist_ok=True)
    wheel = Wheel(path, f"{name}.dist-info")
    for file in sorted((source / "packaging/wheel/syncsniff").glob("*.py")):
        wheel.add(f"syncsniff/{file.name}", file.read_bytes())
    for file in files:
        place = place_of(file.relative_to(tree).as_posix())
        wheel.add(f"{name}.data/{place}", file.read_bytes(), os.access(file, os.X_OK))
    for file, text in (("METADATA", metadata(version, (source / "README.md").read_text())), ("WHEEL", wheel_text(tag))):
        wheel.add(f"{name}.dist-info/{file}", text.encode())
    for file in ("LICENSE", "packaging/copyright"):
        wheel.add(f"{name}.dist-info/{pathlib.Path(file).name}", (source / file).read_bytes())
    wheel.close()
    return path, why
