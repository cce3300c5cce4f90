import pathlib
import re
import sqlite3
import tempfile
import unittest

import unshade
from support import DATA, LIT, TEXTURED
from test_frames import WITHOUT_PANDAS


class Indexes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name) / "it's ?.udb"
        try:
            cls.index = unshade.Index.build(cls.path, DATA / "dxbc", DATA / "vbc", keep=True)
        except unshade.CommandError as error:
            cls.folder.cleanup()
            raise unittest.SkipTest(f"built without SQLite: {error}") if "no verb" in str(error) else error

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_finds_by_name_binding_opcode_and_hash(self):
        expected = {str(TEXTURED.with_name(f"textured_ps_{model}.dxbc")) for model in ("4_0", "4_1", "5_0")}
        for found in (self.index.search("tint", where="family = 'dxbc'"), self.index.search(binds="texture:albedo", uses=["sample*"]), self.index.search(regex="^sample_b", context=1)):
            self.assertEqual({row["places"][0]["file"] for row in found}, expected)
        row = self.index.search(hash=unshade.open(LIT).identity("crc32"))[0]
        self.assertEqual((row["family"], row["profile"], row["size"]), ("dxbc", "vs_5_0", LIT.stat().st_size))
        self.assertEqual({one["xxh3"]: one["similarity"] for one in self.index.search(like=LIT, threshold=99)}[row["xxh3"]], 1)
        self.assertEqual(len(self.index.search(where="stage = 'vertex' and size > 6000")), len([row for row in self.index.search() if row["stage"] == "vertex" and row["size"] > 6000]))

    def test_nothing_found_is_empty(self):
        self.assertEqual(self.index.search("no such name"), [])

    def test_shaders_that_are_gone_are_an_error(self):
        folder = pathlib.Path(self.folder.name) / "gone"
        folder.mkdir()
        for path in (LIT, TEXTURED):
            (folder / path.name).write_bytes(path.read_bytes())
        index = unshade.Index.build(folder / "x.udb", folder)
        self.assertEqual(len(index.search(regex="mul")), 2)
        for path in (LIT, TEXTURED):
            (folder / path.name).unlink()
            with self.assertRaisesRegex(unshade.CommandError, "no longer there"):
                index.search(regex="mul")
        self.assertEqual(len(index.search()), 2)

    def test_asks_by_sql_and_cannot_write(self):
        self.assertEqual(self.index.sql("select count(*) from shaders where family = ?", ["vbc"])[0][0], len(self.index.search(where="family = 'vbc'")))
        self.assertEqual(len(self.index), len(self.index.search()))
        with self.assertRaises(sqlite3.OperationalError):
            self.index.sql("delete from shader")

    def test_damage_is_an_error(self):
        path = pathlib.Path(self.folder.name) / "damaged.udb"
        path.write_bytes(self.path.read_bytes()[:9000])
        with self.assertRaises(unshade.CommandError):
            unshade.Index(path).search("tint")
        with self.assertRaises(FileNotFoundError):
            unshade.Index(self.folder.name)

    def test_follows_files(self):
        folder = pathlib.Path(self.folder.name) / "followed"
        folder.mkdir()
        for path in (LIT, TEXTURED):
            (folder / path.name).write_bytes(path.read_bytes())
        index = unshade.Index.build(folder / "x.udb", folder / LIT.name)
        added = index.add(folder)
        self.assertEqual((added.files, added.unchanged, added.removed, added.added, added.faults), (1, 1, 0, 1, []))
        (folder / LIT.name).unlink()
        self.assertEqual(index.add(folder)[:3], (0, 1, 1))
        self.assertEqual([row["profile"] for row in index.search()], ["ps_5_0"])
        index.remove(folder / TEXTURED.name)
        self.assertEqual(index.search(), [])
        stats = index.stats()
        self.assertEqual((stats["file"], stats["files"], stats["shaders"], stats["gone"], stats["keeps_bytes"]), (index.path, 0, 2, 2, False))

    def test_what_cannot_be_unpacked_is_told(self):
        folder = pathlib.Path(self.folder.name) / "cut"
        folder.mkdir()
        archive = (DATA / "archives/members.tar.gz").read_bytes()
        (folder / "cut.tar.gz").write_bytes(archive[:len(archive) // 2])
        index = unshade.Index.build(folder / "x.udb", LIT)
        faults = index.add(folder / "cut.tar.gz").faults
        self.assertEqual(len(faults), 3)  # of the archive's member, of the archive, of the stream
        for fault in faults:
            self.assertTrue(fault.path.startswith(str(folder / "cut.tar.gz")), fault.path)
        with self.assertRaisesRegex(unshade.CommandError, "No such file") as raised:
            index.add(folder / "no_such_file")
        self.assertEqual(raised.exception.status, 2)

    def test_merges_others(self):
        folder = pathlib.Path(self.folder.name) / "merged"
        folder.mkdir()
        first = unshade.Index.build(folder / "1.udb", LIT)
        second = unshade.Index.build(folder / "2.udb", TEXTURED)
        index = unshade.Index.build(folder / "all.udb")
        self.assertEqual(index.merge(first, second.path), (2, 0, 2))
        self.assertEqual(index.merge(folder / "1.udb").added, 0)
        self.assertEqual(sorted(row["profile"] for row in index.search()), ["ps_5_0", "vs_5_0"])
        index.check()
        with self.assertRaisesRegex(unshade.CommandError, "^" + re.escape(f"{index.path}: a database must not be merged into itself")):
            index.merge(first, index)
        with self.assertRaisesRegex(unshade.CommandError, "made without UNSHADE_INDEX_KEEP"):
            self.index.merge(first)
        # One path, two files.
        changed = folder / LIT.name
        others = []
        for source in (LIT, TEXTURED):
            changed.write_bytes(source.read_bytes())
            others.append(unshade.Index.build(folder / f"{source.stem}.udb", changed))
        with self.assertRaisesRegex(unshade.CommandError, "^" + re.escape(f"{others[1].path}: its file {changed} has other shaders than that of {others[0].path}")):
            index.merge(*others)
        self.assertEqual([index.merge(other).replaced for other in others], [0, 1])
        damaged = bytearray((folder / "1.udb").read_bytes())
        for at in range(2 * 8192 + 100, len(damaged), 8192):
            damaged[at] ^= 1
        (folder / "1.udb").write_bytes(damaged)
        for act, blamed in ((first.check, first), (lambda: index.merge(second, first), first)):
            with self.assertRaisesRegex(unshade.CommandError, "^" + re.escape(blamed.path)) as raised:
                act()
            self.assertEqual(raised.exception.status, 1)
        index.check()

    def test_refusals(self):
        with self.assertRaisesRegex(unshade.CommandError, "there already"):
            unshade.Index.build(self.path, LIT)
        with self.assertRaisesRegex(unshade.CommandError, "made without"):
            unshade.Index.build(self.path, LIT, update=True, text=True)
        for options, said in (({"where": "no_such_column = 1"}, "where: no such column"), ({"hash": "xyz"}, "hash: 'xyz' is not a hash"),
                              ({"regex": "("}, "regex: "), ({"words": "mul"}, "words: this database has no listings"), ({"context": 1}, "require regex"),
                              ({"threshold": 5}, "requires like"), ({"like": LIT, "regex": "mul"}, "must not be combined")):
            with self.assertRaisesRegex(unshade.CommandError, said) as raised:
                self.index.search(**options)
            self.assertEqual(raised.exception.status, 2)

    @unittest.skipIf(WITHOUT_PANDAS, WITHOUT_PANDAS)
    def test_frame(self):
        table = self.index.frame("tint", where="family = 'dxbc'")
        self.assertEqual(sorted(table["profile"]), ["ps_4_0", "ps_4_1", "ps_5_0"])
        self.assertEqual(len(self.index.frame()), len(self.index))
