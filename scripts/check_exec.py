#!/usr/bin/env python3
"""Runs shaders of public test suites and compares what they give with what the suites expect.

check_exec.py [--unshade PROGRAM] [--engine NAME] [-j N] [--family dxil|dxbc|spirv] [-v] [DIR...]

DIR: folders of cases, as their README describes them: offload/ and shader_test/ (JSON), amber/ (scripts of Amber). Without one, the folders
below UNSHADE_EXEC or ../shared/exec beside the checkout. NAME: command (the default), O0 (without optimization), scalar (waves of 4 lanes, or
the fewest that a program allows), spirv (translated to SPIR-V first, for families other than SPIR-V).
Prints each case that fails or is skipped, with the reason, and at the end `N passed, M failed, K skipped`. Exits with 1 if a case fails,
with 77 if there are no cases.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from exec import amber, offload, set_aside, shader_test  # noqa: E402
from exec.engine import Failed, Unsupported, engines  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUITES = {"offload": offload, "shader_test": shader_test}


def cases_of(folders, family):
    for folder in folders:
        for path in sorted(folder.glob("*.json")):
            document = json.loads(path.read_text())
            document["path"] = path
            if document.get("kind") not in SUITES:
                continue
            if document["kind"] == "offload":
                for one in sorted(document["binaries"]):
                    if family in (None, one):
                        yield path, document, one
            else:
                one = document["binaries"][0]["file"].rsplit(".", 1)[-1]
                if family in (None, one):
                    yield path, document, one


def scripts_of(folders, family):
    """Scripts of Amber, a few at a time."""
    found = [path for folder in folders for path in sorted(folder.glob("*.amber"))] if family in (None, "spirv") else []
    return [found[at:at + amber.AT_ONCE] for at in range(0, len(found), amber.AT_ONCE)]


def tried(path, document, family, engine):
    """(status, reason)"""
    suite = SUITES[document["kind"]]
    if reason := suite.reason_to_skip(document["pipeline"], document["source"]) if suite is offload else suite.reason_to_skip(document):
        return "skipped", reason
    try:
        fault = suite.run(document, path.parent, engine, family)
    except Unsupported as what:
        return "skipped", str(what)
    except Failed as what:
        return "failed", str(what)
    except (KeyError, IndexError, TypeError, ValueError, StopIteration) as what:
        return "failed", f"the case cannot be read: {type(what).__name__}: {what}"
    if fault and (reason := set_aside.reason(suite, document, path.parent, engine, family, fault)):
        return "skipped", f"set aside: {reason}"
    return ("failed", fault) if fault else ("passed", "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--unshade", type=pathlib.Path, default=ROOT / "build/dev/unshade")
    parser.add_argument("--engine", choices=sorted(engines()), default="command")
    parser.add_argument("--family", choices=["dxbc", "dxil", "spirv"])
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("-v", "--verbose", action="store_true", help="list what passes, too")
    parser.add_argument("folders", nargs="*", type=pathlib.Path, metavar="DIR")
    options = parser.parse_args()
    folders = options.folders
    if not folders:
        base = pathlib.Path(os.environ.get("UNSHADE_EXEC") or ROOT.parent / "shared/exec")
        folders = [base / name for name in (*SUITES, "amber") if (base / name).is_dir()]
    cases = list(cases_of(folders, options.family))
    scripts = scripts_of(folders, options.family)
    if not cases and not scripts:
        print("no cases: set UNSHADE_EXEC to a folder that holds offload/, shader_test/ and amber/, or name folders")
        return 77
    engine = engines()[options.engine](options.unshade)
    counts = collections.Counter()
    reasons = collections.Counter()

    def tell(path, family, status, reason):
        counts[status] += 1
        if status == "skipped":
            reasons[reason] += 1
        if status != "passed" or options.verbose:
            print(f"{status}: {path.stem} ({family}){': ' + reason if reason else ''}", flush=True)

    wave = ["--wave", "4"] if options.engine == "scalar" else []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (path, _, family), (status, reason) in zip(cases, pool.map(lambda one: tried(*one, engine), cases)):
            tell(path, family, status, reason)
        for results in pool.map(lambda some: amber.run(options.unshade, wave, some), scripts):
            for path, status, reason in results:
                tell(path, "spirv", status, reason)
    for reason, count in reasons.most_common():
        print(f"skipped {count}: {reason}")
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
