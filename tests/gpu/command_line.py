"""What the scripts of this folder share: `OPTIONS -- COMMAND...`, and whether there is a GPU at all."""
import pathlib
import sys

SKIPPED = 77  # ctest's SKIP_RETURN_CODE


def parse_with_command(parser):
    """The options before `--`, and in `.command` the words after it."""
    words = sys.argv[1:]
    at = words.index("--") if "--" in words else len(words)
    options = parser.parse_args(words[:at])
    options.command = words[at + 1:]
    return options


def no_device():
    """True, and said so, where there is nothing to measure on: the caller exits with SKIPPED."""
    if pathlib.Path("/dev/nvidiactl").exists():
        return False
    print("skipped: no NVIDIA device on this machine")
    return True
