"""Where the scripts that compare over a corpus find their files and other people's tools, and how they say that something is missing."""
import concurrent.futures
import os
import pathlib
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


def llvm_tool(name):
    """A tool of LLVM, newest version first: the bare name may be one that is too old."""
    return tool(*(name + version for version in ("-22", "-21", "-20", "-19", "-18", "-17", "")))


def skip(reason):
    """Prints why nothing is compared. Returns the exit status for that."""
    print("skipped: " + reason)
    return SKIPPED


def run(*command):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
