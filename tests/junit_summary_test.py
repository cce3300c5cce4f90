#!/usr/bin/env python3
"""What the summary says of tests that pass, fail, are skipped and are missing: junit_summary_test.py CTEST"""
import pathlib
import subprocess
import sys
import tempfile

TESTS = """
add_test(passes true)
add_test(fails false)
add_test(crashes sh -c "kill -SEGV $$")
add_test(missing not-there/program)
add_test(by_script sh -c "echo begins; echo skipped: it takes another machine; exit 77")
add_test(by_script_too sh -c "echo skipped: it takes another machine; exit 77")
add_test(by_code sh -c "echo the corpus is not there; exit 77")
set_tests_properties(by_script by_script_too by_code PROPERTIES SKIP_RETURN_CODE 77)
add_test(by_googletest printf "[ RUN      ] A.B\\\\n/a/b.cpp:12: Skipped\\\\nbuilt without xxHash\\\\n\\\\n[  SKIPPED ] A.B (0 ms)\\\\n")
set_tests_properties(by_googletest PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED")
add_test(program printf "[ RUN      ] A.A\\\\n[       OK ] A.A (1 ms)\\\\n[ RUN      ] A.B\\\\n/a/b.cpp:12: Skipped\\\\nbuilt without xxHash\\\\n\\\\n[  SKIPPED ] A.B (0 ms)\\\\n[ RUN      ] A/A.C/0\\\\n[       OK ] A/A.C/0 (2 ms)\\\\n")
add_test(program_that_fails sh -c "printf '[ RUN      ] B.A\\\\n[       OK ] B.A (1 ms)\\\\n[ RUN      ] B.B\\\\n[  FAILED  ] B.B, where GetParam() = 1 (2 ms)\\\\n'; exit 1")
add_test(program_that_crashes sh -c "printf '[ RUN      ] C.A\\\\n[       OK ] C.A (1 ms)\\\\n[ RUN      ] C.B\\\\n'; kill -SEGV $$")
"""
EXPECTED = """failed: fails
failed: crashes
failed: missing: Unable to find executable
failed: B.B
failed: program_that_crashes
skipped: by_script and 1 more: it takes another machine
skipped: by_googletest and 1 more: built without xxHash
skipped: by_code: the corpus is not there
5 tests passed, 5 failed, 5 skipped
"""


def main():
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "CTestTestfile.cmake").write_text(TESTS, encoding="utf-8")
        results = pathlib.Path(folder, "results.xml")

        def summary(*options):
            subprocess.run([sys.argv[1], "--test-dir", folder, "--output-junit", results, *options], capture_output=True, check=False)
            return subprocess.run([sys.executable, pathlib.Path(__file__).with_name("junit_summary.py"), results], capture_output=True, text=True, check=False)

        whole, good, none = summary(), summary("-R", "passes|by_|program$"), summary("-R", "by_")
    if whole.stdout != EXPECTED:
        sys.exit(f"expected:\n{EXPECTED}\nfound:\n{whole.stdout}{whole.stderr}")
    if (whole.returncode, good.returncode, none.returncode) != (1, 0, 1):
        sys.exit(f"statuses: {whole.returncode} with failures, {good.returncode} without, {none.returncode} if all are skipped")


if __name__ == "__main__":
    main()
