"""Where the scripts that compare over a corpus find their files and other people's tools, and how they say that something is missing."""
import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
SKIPPED = 77  # ctest's SKIP_RETURN_CODE


def folder(given=None):
    """The folder of the command line, else UNSHADE_CORPUS, else ../shared/corpus beside the checkout. It may not exist."""
    return pathlib.Path(given or os.environ.get("UNSHADE_CORPUS") or ROOT.parent / "shared/corpus")


def files(suffix, folders):
    """Every file with this suffix below the folders, sorted; a folder that does not exist has none."""
    return sorted(path for top in folders for path in pathlib.Path(top).rglob("*" + suffix) if path.is_file())


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
