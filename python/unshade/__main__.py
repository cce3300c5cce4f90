"""python3 -m unshade VERB ...: the command."""
import sys

from ._command import become_command, command_path
from .errors import CommandError

try:
    path = command_path()
except CommandError as error:
    sys.exit(f"unshade: {error}")
become_command(path, sys.argv[1:])
