"""Indexing on a cluster of Dask: the same database as one process makes, whatever dies."""
import json
import os
import pathlib
import random
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import unittest

from support import DATA
from unshade._command import command_path

try:
    import distributed
except ImportError:
    distributed = None

HAS_INDEX = b"\n  index " in subprocess.run([command_path(), "help"], capture_output=True, check=True).stdout


def content(database):
    """All that a database says, whatever the order of its rows."""
    found = subprocess.run([command_path(), "search", str(database), "--json"], capture_output=True, check=True).stdout.decode()
    return sorted(json.dumps(json.loads(line), sort_keys=True) for line in found.splitlines())


@unittest.skipIf(distributed is None, "python3-distributed is not installed")
@unittest.skipIf(not HAS_INDEX, "the command was built without SQLite")
class Cluster(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50)
        cls.client = distributed.Client(cls.cluster)

    @classmethod
    def tearDownClass(cls):
        cls.client.close()
        cls.cluster.close()

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="unshade-dask-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.files = self.folder / "in"
        for name in ("dxbc", "dxil", "spirv", "pica", "vbc"):
            shutil.copytree(DATA / name, self.files / name)
        self.out = self.folder / "x.udb"

    def alone(self, *without):
        """The database that one process makes."""
        whole = self.folder / "whole.udb"
        files = [str(path) for path in sorted(self.files.rglob("*")) if path.is_file() and path.name not in without]
        subprocess.run([command_path(), "index", "-o", str(whole), "--", *files], check=False, capture_output=True)
        return content(whole)

    def index(self, **options):
        import unshade.dask

        return unshade.dask.index([self.files], self.out, self.client, **options)

    def test_gives_the_same_as_one_process(self):
        report = self.index(batch_files=7)
        self.assertEqual(report.set_aside, {})
        self.assertGreater(report.batches, 5)
        self.assertEqual(content(self.out), self.alone())
        again = self.index()
        self.assertEqual((again.files, again.batches), (0, 0))
        self.assertEqual(again.unchanged, report.files)

    def test_workers_may_be_killed(self):
        stop = threading.Event()
        killed = []

        def kill():
            chance = random.Random(1)
            while not stop.wait(chance.uniform(0.1, 0.5)) and len(killed) < 20:
                pids = [worker.pid for worker in self.cluster.workers.values() if getattr(worker, "pid", None)]
                if pids:
                    killed.append(chance.choice(pids))
                    try:
                        os.kill(killed[-1], signal.SIGKILL)
                    except ProcessLookupError:
                        pass

        killer = threading.Thread(target=kill)
        killer.start()
        try:
            report = self.index(batch_files=3)
        finally:
            stop.set()
            killer.join()
        self.assertEqual(report.set_aside, {})
        self.assertEqual(content(self.out), self.alone())

    def test_names_the_file_that_kills_its_reader(self):
        # the command, but that it dies of one file
        wrapper = self.folder / "unshade"
        wrapper.write_text(f'#!/bin/sh\ncase "$1 $*" in "index "*deadly*) kill -SEGV $$;; esac\nexec "{command_path()}" "$@"\n')
        wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR)
        deadly = self.files / "dxbc" / "deadly.bin"
        shutil.copy(DATA / "dxbc/textured_ps_5_0.dxbc", deadly)

        def use(command):
            import os

            os.environ["UNSHADE_COMMAND"] = command

        self.client.run(use, str(wrapper))
        self.addCleanup(self.client.run, use, command_path())
        report = self.index(batch_files=50)
        self.assertEqual(list(report.set_aside), [str(deadly)])
        self.assertIn("SIGSEGV", report.set_aside[str(deadly)])
        self.assertEqual(content(self.out), self.alone("deadly.bin"))

    def test_names_folders_that_cannot_be_read(self):
        import unshade.dask

        unread = {}
        (self.files / "vbc").chmod(0)
        self.addCleanup((self.files / "vbc").chmod, 0o700)
        files = unshade.dask._files_below([self.files], unread)
        if os.access(self.files / "vbc", os.R_OK):
            self.skipTest("this user may read all folders")
        self.assertEqual(list(unread), [str(self.files / "vbc")])
        self.assertTrue(files)

    def test_keeps_what_the_database_keeps(self):
        subprocess.run([command_path(), "index", "--text", "-o", self.out, self.files / "dxbc"], check=True, capture_output=True)
        self.assertEqual(self.index().set_aside, {})
        whole = self.folder / "whole.udb"
        subprocess.run([command_path(), "index", "--text", "-o", whole, self.files], check=False, capture_output=True)
        found = [subprocess.run([command_path(), "search", "--words", "dx.op.sample.f32", "--count", path], check=False, capture_output=True).stdout for path in (self.out, whole)]
        self.assertEqual(found[0], found[1])
        self.assertGreater(int(found[0]), 0)
        with self.assertRaisesRegex(ValueError, "made without --keep"):
            self.index(keep=True)

    def test_two_lines_are_enough(self):
        import unshade.dask

        unshade.dask.index([self.files / "dxbc"], self.out)
        self.assertGreater(len(content(self.out)), 5)

    def test_runs_from_a_shell(self):
        done = subprocess.run([sys.executable, "-W", "ignore", "-m", "unshade.dask", "--scheduler", self.cluster.scheduler_address, "-o", str(self.out), str(self.files)],
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr[-500:])
        self.assertRegex(done.stdout.decode(), r": \d+ files searched, 0 unchanged, 0 set aside\n$")
        self.assertEqual(content(self.out), self.alone())


if __name__ == "__main__":
    unittest.main()
