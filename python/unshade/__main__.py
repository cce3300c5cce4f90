"""python3 -m unshade VERB ...: the command."""
import os
import sys

from ._command import command_path
from .errors import CommandError

try:
    path = command_path()
except CommandError as error:
    sys.exit(f"unshade: {error}")
os.execv(path, ["unshade", *sys.argv[1:]])
