"""Scripts of Amber, which `unshade test` runs itself."""
import json
import subprocess

# Of a process; scripts that come after one that hangs must not suffer.
AT_ONCE = 16


def run(program, options, paths):
    """(path, status, reason) of each of a few scripts."""
    names = [str(path) for path in paths]
    try:
        done = subprocess.run([str(program), "test", "--json", "-j", "1", *options, *names], capture_output=True, text=True, timeout=120 * len(names),
                              check=False)
        tests = {one["name"]: one for one in json.loads(done.stdout)["tests"]}
    except subprocess.TimeoutExpired:
        return [(path, "failed", "no result in time") for path in paths]
    except (json.JSONDecodeError, KeyError):
        return [(path, "failed", done.stderr.strip() or f"exit status {done.returncode}") for path in paths]
    made = []
    for path, name in zip(paths, names):
        if name not in tests:
            made.append((path, "failed", done.stderr.strip() or "no result"))
            continue
        test = tests[name]
        reason = test.get("reason", "")
        if test["status"] == "failed":
            first = test["failures"][0]
            reason = f"line {first.get('line', 0)}: {first['what']}"
            if "expected" in first:
                reason += f": expected {first['expected']}, found {first.get('actual', '')}"
        made.append((path, test["status"], reason))
    return made
