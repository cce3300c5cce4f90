#!/usr/bin/env python3
"""Whether `unshade scan` misses or invents shaders: plant_shaders.py UNSHADE CORPUS GIGABYTES [--piece MB] [--seed N] [--executables DIR...].

Plants every shader of a corpus at random offsets between random, compressed and executable bytes, in pieces (default: 256 MB) that are scanned and dropped, so
that the disk holds one at a time (TMPDIR says where). Each must be found with its exact size, and nothing else may be; zeros that a SHBIN of another size than
whole words happens to stand before belong to it. Executable bytes are those of the ELF
files below the folders (default: /usr/bin, /usr/lib); files in which shaders are found already, as in drivers and browsers, are left out and counted.
Compressed bytes are made of them by zlib, bzip2 and LZMA. Exits with 1 if one is missed or invented.
"""
import argparse
import bz2
import json
import lzma
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import zlib

MB = 1 << 20


def scan(unshade, *paths):
    """(file, offset, size) of what is found."""
    done = subprocess.run([unshade, "scan", "--json", "--top", "--no-unpack", *paths], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr.decode())
    found = (json.loads(line) for line in done.stdout.splitlines())
    return [(row["file"], row["offset"], row["size"]) for row in found if "offset" in row]


def shaders_of(unshade, corpus):
    """What is planted: of a container its stated size, of other files all of them, if that is what is found at their beginning."""
    sizes = {}
    for file, offset, size in scan(unshade, corpus):
        if offset == 0:
            sizes[file] = size
    shaders, left_out = [], 0
    for path in sorted(pathlib.Path(corpus).rglob("*")):
        if not path.is_file() or path.read_bytes()[:4] not in (b"DXBC", b"DVLB", b"\x03\x02\x23\x07", b"BC\xc0\xde"):
            continue
        data = path.read_bytes()
        size = int.from_bytes(data[24:28], "little") if data[:4] == b"DXBC" else len(data)
        if sizes.get(str(path)) == size:
            shaders.append((str(path), data[:size]))
        else:
            left_out += 1
    return shaders, left_out


class Filler:
    """Bytes of three kinds."""

    def __init__(self, unshade, folders, chance, most=512 * MB):
        self.chance = chance
        files, total = [], 0
        for path in sorted(path for folder in folders for path in pathlib.Path(folder).rglob("*")):
            try:
                if path.is_file() and not path.is_symlink() and open(path, "rb").read(4) == b"\x7fELF":
                    files.append(str(path))
            except OSError:
                continue
        chance.shuffle(files)
        taken = []
        for file in files:
            if total > most:
                break
            taken.append(file)
            total += os.path.getsize(file)
        with_shaders = {}
        for file, *_ in scan(unshade, *taken):
            with_shaders[file] = with_shaders.get(file, 0) + 1
        self.left_out = with_shaders
        self.code = b"".join(pathlib.Path(file).read_bytes() for file in taken if file not in with_shaders)
        self.packed, self.at = b"", 0

    def take(self, size):
        kind = self.chance.randrange(3)
        if kind == 0:
            return os.urandom(size)
        if kind == 1:
            while len(self.packed) - self.at < size:
                start = self.chance.randrange(len(self.code) - 4 * MB)
                pack = self.chance.choices((lambda b: zlib.compress(b, 1), lambda b: bz2.compress(b, 1), lambda b: lzma.compress(b, preset=0)), (12, 2, 1))[0]
                self.packed, self.at = self.packed[self.at:] + pack(self.code[start:start + 4 * MB]), 0
            self.at += size
            return self.packed[self.at - size:self.at]
        start = self.chance.randrange(len(self.code) - size)
        return self.code[start:start + size]


def ends_in_zeros(path, begin, end):
    with open(path, "rb") as piece:
        piece.seek(begin)
        return not any(piece.read(end - begin))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("unshade")
    parser.add_argument("corpus")
    parser.add_argument("gigabytes", type=float)
    parser.add_argument("--piece", type=int, default=256)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--executables", nargs="+", default=["/usr/bin", "/usr/lib"])
    args = parser.parse_args()
    chance = random.Random(args.seed)
    shaders, left_out = shaders_of(args.unshade, args.corpus)
    filler = Filler(args.unshade, args.executables, chance)
    print(f"{len(shaders)} shaders, {sum(len(data) for _, data in shaders) / 1e6:.1f} MB, {left_out} files left out; {len(filler.code) / 1e6:.0f} MB of executables, "
          f"{len(filler.left_out)} of them left out with {sum(filler.left_out.values())} shaders", flush=True)
    gap = args.piece * MB // len(shaders)
    if gap < 64:
        sys.exit("a piece has no room for all shaders")
    total = planted = missed = invented = 0
    seconds = 0.0
    with tempfile.TemporaryDirectory(prefix="unshade-plant-") as folder:
        path = os.path.join(folder, "piece")
        while total < args.gigabytes * 1e9:
            chance.shuffle(shaders)
            places = {}
            with open(path, "wb") as piece:
                for name, data in shaders:
                    # a shader may follow another one at once
                    piece.write(filler.take(chance.randrange(2 * gap)) if chance.randrange(50) else b"")
                    places[piece.tell()] = name, len(data), data[:4] == b"DVLB"
                    piece.write(data)
                piece.write(filler.take(chance.randrange(gap)))
                total += piece.tell()
            planted += len(places)
            print(f"\r{total / 1e9:.2f} GB", end="", file=sys.stderr, flush=True)
            start = time.monotonic()
            found = scan(args.unshade, path)
            seconds += time.monotonic() - start
            for _, offset, size in found:
                name, expected, is_shbin = places.pop(offset, (None, None, False))
                if expected != size and not (is_shbin and size == -(-expected // 4) * 4 and ends_in_zeros(path, offset + expected, offset + size)):
                    invented += 1
                    print(f"invented: {size} bytes at 0x{offset:x}" + (f", where {name} has {expected}" if name else ""))
            for offset, (name, size, _) in places.items():
                missed += 1
                print(f"missed: {name}, {size} bytes at 0x{offset:x}")
    print(file=sys.stderr)
    print(f"{total / 1e9:.2f} GB, {planted} planted, {missed} missed, {invented} invented; scanned in {seconds:.1f} s by the clock")
    sys.exit(1 if missed or invented or not planted else 0)


if __name__ == "__main__":
    main()
