"""What format.py and tidy.py have in common: one of Clang's tools, which may be missing, and a check of the check."""
import shutil
import sys

SKIPPED = 77


def run(tool, usage, self_check, check):
    """The exit status of a script that runs `tool`: check(arguments)'s, 0 after --self-check, SKIPPED without the tool."""
    arguments = sys.argv[1:]
    if not arguments:
        sys.exit(usage)
    if shutil.which(tool) is None:
        print(f"{tool} is missing; install Debian's package of that name", file=sys.stderr)
        return SKIPPED
    if arguments == ["--self-check"]:
        self_check()
        return 0
    return check(arguments)
