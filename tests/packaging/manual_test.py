"""Every option that a command's --help names is in its man page and in the completions, and the other way round."""
import re
import shutil
import unittest

from support import BUILD, HAS_ANALYZER, HAS_RUN, Installed, run

PROGRAM = BUILD / "bin/syncsniff"
MANUAL = BUILD / "manual"
LEFT_OUT = (set() if HAS_ANALYZER else {"check", "fix"}) | (
    set() if HAS_RUN else {"run", "report", "diff", "scale", "dump", "undump"})
COMMANDS = [name for name in re.findall(r"^  (\S+) ", run(PROGRAM, "--help").stdout, re.M) if name not in LEFT_OUT]
# An option stands at the beginning of a line; elsewhere a sentence may name another command's.
OPTION_LINE = re.compile(r"^ {1,8}(-[^ ].*)$", re.M)
NAME = re.compile(r"(?<![\w-])--?[a-zA-Z][\w-]*")


def options_in_help(command):
    names = set()
    for line in OPTION_LINE.findall(run(PROGRAM, command, "--help").stdout):
        names.update(NAME.findall(re.split(r" {2,}", line)[0]))
    return names


def options_in_page(command):
    text = (MANUAL / f"man/syncsniff-{command}.1").read_text().replace("\\-", "-")
    heads = re.findall(r"^\.TP\n(.*)$", text, re.M)
    return {name.replace("\\fR", "") for head in heads for name in NAME.findall(head.replace("\\fB", " "))}


class Manual(Installed):
    def test_pages_and_help_name_the_same_options(self):
        self.assertGreaterEqual(len(COMMANDS), 4)
        for command in COMMANDS:
            with self.subTest(command):
                told = options_in_help(command)
                self.assertIn("--help", told)
                self.assertEqual(options_in_page(command), told)

    def test_completions_name_them_too(self):
        for file in ("syncsniff", "_syncsniff", "syncsniff.fish"):
            text = (MANUAL / "completions" / file).read_text()
            for command in COMMANDS:
                for name in options_in_help(command):
                    word = name if not file.endswith(".fish") else name.replace("--", "-l ") if name[1] == "-" else f"-s {name[1:]}"
                    self.assertRegex(text, rf"{re.escape(word)}\b", f"{file}: {command}")

    def test_the_driver_lists_every_page(self):
        page = (MANUAL / "man/syncsniff.1").read_text().replace("\\-", "-")
        for path in (MANUAL / "man").glob("syncsniff-*.1"):
            command = path.stem.split("-", 1)[1]
            self.assertIn(f".TP\n\\fB{command}\\fR\n", page)
            self.assertIn(f"\n  {command} ", run(PROGRAM, "--help").stdout)

    @unittest.skipUnless(shutil.which("man"), "no man here")
    def test_man_renders_without_complaint(self):
        for path in sorted((MANUAL / "man").glob("*.1")):
            done = run("man", "--warnings", "-E", "UTF-8", "-l", path, MANWIDTH=80, LC_ALL="C.UTF-8")
            self.assertEqual(done.stderr, "")
            self.assertIn("SYNOPSIS", done.stdout)

    def test_bash_completes(self):
        script = MANUAL / "completions/syncsniff"
        run("bash", "-n", script)

        def complete(*words):
            code = ('source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _syncsniff; printf "%s\\n" "${COMPREPLY[@]}"')
            return run("bash", "-c", code, script, *words, cwd=self.folder, PATH=f"{BUILD / 'bin'}:/usr/bin:/bin").stdout.split()

        self.assertEqual(complete("syncsniff", "ru"), ["run", "rules", "rule"])
        self.assertIn("sync-in-loop", complete("syncsniff", "rule", "sync"))
        (self.folder / "train.cu").write_text("")
        if HAS_ANALYZER:
            self.assertEqual(complete("syncsniff", "check", "--form"), ["--format"])
            self.assertEqual(complete("syncsniff", "check", "--format", "sa"), ["sarif"])
            self.assertEqual(complete("syncsniff", "check", "--format", "=", "sa"), ["sarif"], "as readline cuts --format=sa")
            self.assertIn("sarif", complete("syncsniff", "check", "--format", "="))
            self.assertEqual(complete("syncsniff", "check", "-o", "tr"), ["train.cu"])
        if HAS_RUN:
            self.assertEqual(complete("syncsniff", "run", "--timeline", "w"), ["windows"])

    @unittest.skipUnless(shutil.which("zsh"), "no zsh here")
    def test_zsh_reads_its_completions(self):
        run("zsh", "-n", MANUAL / "completions/_syncsniff")

    @unittest.skipUnless(shutil.which("fish"), "no fish here")
    def test_fish_completes(self):
        def complete(line):
            code = f"source '{MANUAL}/completions/syncsniff.fish'; complete -C '{line}'"
            told = run("fish", "--no-config", "-c", code, HOME=self.folder, PATH=f"{BUILD / 'bin'}:/usr/bin:/bin").stdout
            return [completed.split("\t")[0] for completed in told.splitlines()]

        self.assertEqual(complete("syncsniff ru"), ["rule", "rules", "run"])
        if HAS_ANALYZER:
            self.assertEqual(complete("syncsniff check --form"), ["--format"])
            self.assertIn("sarif", complete("syncsniff check --format "))


if __name__ == "__main__":
    unittest.main()
