"""What check_reflection.py and check_dxil_reflection.py share: files with the vendor tool's listing beside them, in batches."""
import json
import subprocess
import sys

BATCH = 100


def compare(unshade, pairs, suffix, differences):
    """Reflects the files of `pairs`, and prints the first fault of each that has one, then the figures. `differences(ours, listing, counts)`
    yields faults, or None for what agrees; `suffix` is that of the listings. Returns the exit status."""
    counts, failed = {}, 0
    for start in range(0, len(pairs), BATCH):
        paths = pairs[start:start + BATCH]
        result = subprocess.run([unshade, "reflect", "--json", *map(str, paths)], capture_output=True, check=False)
        sys.stdout.write(result.stderr.decode("utf-8", "replace"))
        answers = {file["file"]: file for file in json.loads(result.stdout)["files"]}
        for path in paths:
            ours = answers.get(str(path))
            if ours is None:
                failed += 1
                print(f"{path}: not reflected")
                continue
            text = path.with_suffix(suffix).read_bytes().decode("utf-8", "replace")
            found = next((fault for fault in differences(ours, text, counts) if fault), None)
            if found:
                failed += 1
                print(f"{path}: {found}")
    print(f"{len(pairs) - failed} of {len(pairs)} pairs agree; compared: " + ", ".join(f"{number} {name}" for name, number in counts.items()))
    return 1 if failed else 0
