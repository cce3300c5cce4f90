"""Where the scripts that compare over a corpus find their files and other people's tools, and how they say that something is missing."""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SKIPPED = 77  # ctest's SKIP_RETURN_CODE


def folder(given=None):
    """The folder of the command line, else UNSHADE_CORPUS, else ../shared/corpus beside the checkout. It may not exist."""
    return pathlib.Path(given or os.environ.get("UNSHADE_CORPUS") or ROOT.parent / "shared/corpus")


def files(suffix, folders):
    """Every file with this suffix below the folders, sorted; a folder that does not exist has none."""
    return sorted(path for top in folders for path in pathlib.Path(top).rglob("*" + suffix) if path.is_file())


def arguments(usage):
    """The command that is looked at, and the folders given behind it. Prints the usage and ends the script where there is no command."""
    if len(sys.argv) < 2:
        print(usage)
        sys.exit(2)
    return sys.argv[1], sys.argv[2:]


def compared(suffix, samples, folders, tools, check):
    """Yields each file with what `check` says of it, in order, two at work at once. The files are those with this suffix below the
    folders, by default the corpus and our samples. Ends the script as skipped where there are none, or one of the tools is missing."""
    paths = files(suffix, folders or [folder(), ROOT / "tests/data" / samples])
    missing = [name for name, found in tools.items() if not found]
    if missing or not paths:
        sys.exit(skip("no " + " and no ".join(missing) if missing else "no files with " + suffix))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        yield from zip(paths, pool.map(check, paths))


def tool(*names):
    """The first of these programs that is installed, or None."""
    return next((name for name in names if shutil.which(name)), None)


def tool_of_version(names, version):
    """The first of these programs whose `--version` tells this one (`LLVM version 19`, `SPIRV-Tools v2023.1`), or None: others print and accept
    other things, so that comparing with them says nothing."""
    def tells(name):
        said = run(name, "--version")
        return said.returncode == 0 and re.search(re.escape(version) + r"\b", said.stdout.decode("utf-8", "replace"))

    return next((name for name in names if shutil.which(name) and tells(name)), None)


def llvm_tool(name):
    """A tool of LLVM 19, whose text `dump --format llvm` prints. Before LLVM 17 no tool knows the parts of a DXContainer."""
    return tool_of_version((name + "-19", name), "LLVM version 19")


def spirv_tool(name):
    """A tool of SPIRV-Tools 2023.1, whose listings `dis` prints."""
    return tool_of_version((name,), "SPIRV-Tools v2023.1")


def skip(reason):
    """Prints why nothing is compared. Returns the exit status for that."""
    print("skipped: " + reason)
    return SKIPPED


def run(*command):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
