"""Verdicts of a script that compares many files: kept in a file, so that a run that was stopped goes on where it was, and counted."""
import collections
import concurrent.futures
import json
import os
import threading
import time


def add_arguments(parser):
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--journal", help="a file of verdicts, a line each: what it has is not run again")
    parser.add_argument("--minutes", type=float, help="start nothing more after so long; exit with 2 if something is left")


class Journal:
    def __init__(self, arguments):
        os.nice(10)
        self.verdicts, self.arguments = {}, arguments
        if arguments.journal and os.path.exists(arguments.journal):
            with open(arguments.journal) as file:
                for line in file:
                    if line.endswith("\n"):  # else the run was stopped while it wrote
                        name, verdict, detail = json.loads(line)
                        self.verdicts[name] = verdict, detail

    def run(self, items, check, quiet=("same",)):
        """Gives each item (name, what check takes) its verdict: (word, detail). Prints those that are not quiet. False: time was up."""
        end = time.monotonic() + 60 * self.arguments.minutes if self.arguments.minutes is not None else None

        items, found = list(items), {}
        file = open(self.arguments.journal, "a") if self.arguments.journal else None
        writing = threading.Lock()

        def checked(item):
            name, what = item
            if name in self.verdicts:
                return self.verdicts[name]
            if end is not None and time.monotonic() > end:
                return None
            made = check(what)
            if file:
                with writing:
                    file.write(json.dumps([name, *made]) + "\n")
                    file.flush()
            return made

        with concurrent.futures.ThreadPoolExecutor(self.arguments.jobs) as pool:
            for (name, _), made in zip(items, pool.map(checked, items)):
                if made is None:
                    continue
                found[name] = made
                if made[0] not in quiet:
                    print("%-20s %s: %s" % (made[0], name, made[1]), flush=True)
        self.verdicts = found
        if len(found) < len(items):
            print("%d of %d left; the same command goes on with them" % (len(items) - len(found), len(items)))
        return len(found) == len(items)

    def counts(self):
        """{verdict: number}, most first; printed."""
        made = collections.Counter(verdict for verdict, _ in self.verdicts.values())
        for verdict, count in made.most_common():
            print("%6d %s" % (count, verdict))
        return made
