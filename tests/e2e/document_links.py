#!/usr/bin/env python3
"""What the documents point to must be in the repository.

usage: document_links.py ROOT          exit 1 with one line an offence
       document_links.py --self-check  proves on made-up trees that each kind of offence is found

In Markdown: relative links with their anchors, and paths that begin with a folder of the project (a word with `my-`,
`my_`, `<` or `$` is an example). In every file: paths below docs/, and documents by name in capitals (SECURITY.md).
In CONTRIBUTING.md also tests (Suite.Case) and build targets, and in docs/inside-the-program.md the tests of its table.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

TOPS = "rules|analyzer|runtime|instrument|cli|samples|tests|docs|scripts|cmake|manual|packaging"
LINK = re.compile(r"\]\(([\w./#+%-]+)\)")
PATH = re.compile(rf"(?<![\w./~$<>}}{{-])((?:{TOPS})/[\w./*+<>$-]*)")
DOCS_PATH = re.compile(r"(?<![\w./$<>-])(docs/[\w./-]*)")
DOCUMENT = re.compile(r"(?<![\w/-])[A-Z][A-Z_-]{2,}\.md\b")
EXAMPLE = re.compile(r"my[-_]|[<$]")
TEST = re.compile(r"\bTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)")
CASE = re.compile(r"`([A-Z]\w+)\.([A-Z]\w+)`")
TARGET = re.compile(r"--target (\S+)|\btargets? `([\w-]+)`(?: and `([\w-]+)`)?")


def files_of(root):
    listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return [root / name for name in listed.stdout.splitlines() if (root / name).is_file()]
    skipped = re.compile(r"(^|/)(\.git|build[^/]*|__pycache__)/")  # an unpacked archive
    return [path for path in root.rglob("*")
            if path.is_file() and not skipped.search(path.relative_to(root).as_posix() + "/")]


def anchors_of(text):
    heads = re.findall(r"^#+ +(.*)$", text, re.M)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


def exists(root, name):
    name = name.rstrip(".,-")
    return any(True for _ in root.glob(name)) if "*" in name else (root / name).exists()


def without_code(text):
    text = re.sub(r"^```.*?^```", lambda block: "\n" * block.group().count("\n"), text, flags=re.M | re.S)
    return "\n".join("" if line.startswith("    ") else re.sub(r"`[^`]*`", "", line) for line in text.split("\n"))


def markdown_offences(root, path, text):
    for number, line in enumerate(without_code(text).split("\n"), 1):
        for link in LINK.findall(line):
            name, _, anchor = link.partition("#")
            target = path.parent / name if name else path
            if not target.exists():
                yield number, f"links to {name}, which is not there"
            elif anchor and anchor not in anchors_of(target.read_text()):
                yield number, f"links to {link}, which has no such heading"
    for number, line in enumerate(text.split("\n"), 1):
        for name in PATH.findall(line):
            if not EXAMPLE.search(name) and not exists(root, name) and not exists(path.parent, name):
                yield number, f"names {name}, which is not there"


def sources_named(files, name):
    return {path: path.read_text() for path in files if path.name == name}


def contributing_offences(files, text):
    tests = {test for path in files if path.suffix in (".cpp", ".cu") for test in TEST.findall(path.read_text())}
    for number, line in enumerate(text.split("\n"), 1):
        for suite, case in CASE.findall(line):
            if (suite, case) not in tests:
                yield number, f"names the test {suite}.{case}, which is not there"
        for target in filter(None, sum(TARGET.findall(line), ())):
            if not any(builds(cmake, target) for cmake in sources_named(files, "CMakeLists.txt").values()):
                yield number, f"names the target {target}, which no CMakeLists.txt has"


def builds(cmake, target):
    """Named as it is, or made by a loop: test_reader_${name}, syncsniff-${program}."""
    if re.search(rf"(?<![\w-]){re.escape(target)}(?![\w-])", cmake):
        return True
    beginnings = re.findall(r"([\w-]+)\$\{(?:name|program)\}", cmake)
    return any(target.startswith(begin) and re.search(rf"\b{re.escape(target[len(begin):])}\b", cmake)
               for begin in beginnings)


def table_offences(files, text):
    names = {name for path in files if path.suffix == ".cpp" for test in TEST.findall(path.read_text()) for name in test}
    for number, line in enumerate(text.split("\n"), 1):
        cells = line.split("|")
        if len(cells) < 4 or set(line) <= set("|-"):
            continue
        for name in re.findall(r"\b[A-Z]\w+[a-z][A-Z]\w+", cells[-2]):
            if name not in names:
                yield number, f"names the test {name}, which is not there"


def offences(root):
    root = root.resolve()
    files = files_of(root)
    documents = {path.name for path in files}
    found = []
    for path in files:
        relative = path.relative_to(root).as_posix()
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        if relative == "tests/e2e/document_links.py":
            continue
        faults = []
        if path.suffix == ".md":
            faults += markdown_offences(root, path, text)
        if relative == "CONTRIBUTING.md":
            faults += contributing_offences(files, text)
        if relative == "docs/inside-the-program.md":
            faults += table_offences(files, text)
        for number, line in enumerate(text.split("\n"), 1):
            faults += [(number, f"cites {name}, which is not there") for name in DOCUMENT.findall(line)
                       if name not in documents]
            if path.suffix != ".md":
                faults += [(number, f"names {name}, which is not there") for name in DOCS_PATH.findall(line)
                           if not exists(root, name)]
        found += [f"{relative}:{number}: {what}" for number, what in faults]
    return found


# (what, files of a tree, how many offences)
CASES = [
    ("a link", {"README.md": "[a](docs/a.md)", "docs/a.md": ""}, 0),
    ("a link to nothing", {"README.md": "[a](docs/b.md)\n", "docs/a.md": ""}, 2),  # as a link, and as a path
    ("a link to nothing, without a dot", {"README.md": "[a](LICENSE)"}, 1),
    ("a link beside the page", {"docs/a.md": "[b](b.md) [r](../README.md)", "docs/b.md": "", "README.md": ""}, 0),
    ("a web address, and a lambda", {"README.md": "[a](https://a.b/c.md)\n\n    [](float x)\n    [](x)\n"}, 0),
    ("an anchor", {"README.md": "[a](docs/a.md#two-words)", "docs/a.md": "# Two words\n"}, 0),
    ("an anchor to nothing", {"README.md": "[a](docs/a.md#three-words)", "docs/a.md": "# Two words\n"}, 1),
    ("a path", {"README.md": "`rules/a.yaml` and rules/*.yaml.", "rules/a.yaml": ""}, 0),
    ("a path to nothing", {"README.md": "`rules/b.yaml`", "rules/a.yaml": ""}, 1),
    ("a glob of nothing", {"README.md": "rules/*.yml", "rules/a.yaml": ""}, 1),
    ("a built path, and an example", {"README.md": "build/rules/x, rules/my-rule.yaml, rules/<id>.yaml"}, 0),
    ("a comment", {"cli/a.cpp": "// see docs/a.md.\n", "docs/a.md": ""}, 0),
    ("a comment that cites nothing", {"cli/a.cpp": "// see docs/b.md\n", "docs/a.md": ""}, 1),
    ("a document by name", {"cli/a.cpp": "// SECURITY.md tells\n", "SECURITY.md": ""}, 0),
    ("a document that is elsewhere", {"cli/a.cpp": "// DESIGN.md's arrows\n"}, 1),
    ("a test", {"CONTRIBUTING.md": "`Ab.Cd`", "tests/a.cpp": "TEST(Ab, Cd) {}"}, 0),
    ("a test that is gone", {"CONTRIBUTING.md": "`Ab.Cd`", "tests/a.cpp": "TEST(Ab, Ce) {}"}, 1),
    ("a target", {"CONTRIBUTING.md": "--target a_test\n--target t_b", "tests/CMakeLists.txt": "a_test\nb t_${name}"}, 0),
    ("a target that is gone", {"CONTRIBUTING.md": "--target a_test", "tests/CMakeLists.txt": "my_a_test"}, 1),
    ("a table", {"docs/inside-the-program.md": "| a | b | OneTwo |", "tests/a.cpp": "TEST(A, OneTwo) {}"}, 0),
    ("a table of a test that is gone", {"docs/inside-the-program.md": "| a | b | OneTwo |", "tests/a.cpp": ""}, 1),
]


def self_check():
    wrong = 0
    for what, files, expected in CASES:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            found = offences(root)
            if len(found) != expected:
                wrong += 1
                print(f"self-check: {what}: {expected} expected, found {found}")
    print(f"self-check: {len(CASES)} cases, {wrong} wrong")
    return 1 if wrong else 0


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--self-check":
        return self_check()
    found = offences(pathlib.Path(sys.argv[1]))
    print("\n".join(found) if found else "every document that is named is there")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
