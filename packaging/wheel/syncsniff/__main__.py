"""python -m syncsniff: becomes the native program."""
import os
import sys

from . import program

try:
    path = program()
except FileNotFoundError as error:
    sys.exit(f"syncsniff: error: {error}")
os.execv(path, [path, *sys.argv[1:]])
