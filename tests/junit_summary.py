#!/usr/bin/env python3
"""What ctest ran, from the file that `ctest --output-junit FILE` writes: junit_summary.py FILE

Prints each test that failed, each reason for which tests were skipped, with how many and the first of them, and the numbers. A program of GoogleTest that is one
test of ctest counts as the tests that it ran; of those that pass ctest has to keep the output whole (--test-output-size-passed). Exits with 1 if a test failed
or none ran.
"""
import collections
import re
import sys
import xml.etree.ElementTree

# GoogleTest's: the place, a line feed, what the test says. Scripts': a line that says so.
REASONS = (re.compile(r"^.*: Skipped\n(.+)$", re.MULTILINE), re.compile(r"^skipped: (.+)$", re.MULTILINE), re.compile(r"^(.*\bskipped\b.*)$", re.MULTILINE | re.IGNORECASE))

# How GoogleTest ends a test, after what the test says.
ENDS = re.compile(r"^\[ +(OK|SKIPPED|FAILED) +\] ([^ ,]+).* \(\d+ ms\)$", re.MULTILINE)


def reason_of(output):
    """What a skipped test says. ctest's own word is for the kind of the skip, such as a return code."""
    for reason in REASONS:
        if match := reason.search(output):
            return match.group(1).strip()
    lines = output.strip().splitlines()
    return lines[-1] if lines else "no reason given"


def results_of(case):
    """Of each test of a case: its name, "OK", "SKIPPED" or "FAILED", and what is said of it."""
    name, output = case.get("name"), case.findtext("system-out") or ""
    # what was not built is of the same element as what skipped itself
    message = case.find("skipped").get("message", "") if case.find("skipped") is not None else None
    if message is not None and message.startswith("SKIP_"):
        return [(name, "SKIPPED", reason_of(output))]
    if message is not None:
        return [(name, "FAILED", message)]
    results, begin = [], 0
    for end in ENDS.finditer(output):
        said = reason_of(output[begin : end.start()]) if end.group(1) == "SKIPPED" else ""
        results.append((end.group(2), end.group(1), said))
        begin = end.end()
    if case.get("status") == "run":
        return results or [(name, "OK", "")]
    # a program that crashes or hangs names no test
    return results if any(result[1] == "FAILED" for result in results) else results + [(name, "FAILED", "")]


def main():
    results = [result for case in xml.etree.ElementTree.parse(sys.argv[1]).getroot().iter("testcase") for result in results_of(case)]
    skipped = collections.defaultdict(list)
    for name, status, said in results:
        if status == "SKIPPED":
            skipped[said].append(name)
        elif status == "FAILED":
            print(f"failed: {name}{': ' + said if said else ''}")
    for reason, names in sorted(skipped.items(), key=lambda item: -len(item[1])):
        others = f" and {len(names) - 1} more" if len(names) > 1 else ""
        print(f"skipped: {names[0]}{others}: {reason}")
    count = collections.Counter(status for _, status, _ in results)
    print(f"{count['OK']} tests passed, {count['FAILED']} failed, {count['SKIPPED']} skipped")
    return 1 if count["FAILED"] or not count["OK"] else 0


if __name__ == "__main__":
    sys.exit(main())
