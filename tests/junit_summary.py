#!/usr/bin/env python3
"""What ctest ran, from the file that `ctest --output-junit FILE` writes: junit_summary.py FILE

Prints each test that failed, each reason for which tests were skipped, with how many and the first of them, and the numbers. Exits with 1 if a test failed or
none ran.
"""
import collections
import re
import sys
import xml.etree.ElementTree

# GoogleTest's: the place, a line feed, what the test says. Scripts': a line that says so.
REASONS = (re.compile(r"^.*: Skipped\n(.+)$", re.MULTILINE), re.compile(r"^skipped: (.+)$", re.MULTILINE), re.compile(r"^(.*\bskipped\b.*)$", re.MULTILINE | re.IGNORECASE))


def reason_of(case):
    """What a skipped test says. ctest's own word is for the kind of the skip, such as a return code."""
    output = case.findtext("system-out") or ""
    for reason in REASONS:
        if match := reason.search(output):
            return match.group(1).strip()
    lines = output.strip().splitlines()
    return lines[-1] if lines else "no reason given"


def main():
    cases = list(xml.etree.ElementTree.parse(sys.argv[1]).getroot().iter("testcase"))
    skipped = collections.defaultdict(list)
    failed = []
    for case in cases:
        # what was not built is of the same element as what skipped itself
        message = case.find("skipped").get("message", "") if case.find("skipped") is not None else None
        if message is not None and message.startswith("SKIP_"):
            skipped[reason_of(case)].append(case.get("name"))
        elif message is not None or case.get("status") != "run":
            failed.append(case.get("name"))
            print(f"failed: {case.get('name')}{': ' + message if message else ''}")
    for reason, names in sorted(skipped.items(), key=lambda item: -len(item[1])):
        others = f" and {len(names) - 1} more" if len(names) > 1 else ""
        print(f"skipped: {names[0]}{others}: {reason}")
    count = sum(len(names) for names in skipped.values())
    print(f"{len(cases) - len(failed) - count} tests passed, {len(failed)} failed, {count} skipped")
    return 1 if failed or len(cases) == count else 0


if __name__ == "__main__":
    sys.exit(main())
