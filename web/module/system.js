// What the module of files has of a system: WASI's functions for files and clocks. A file is in memory, or one of Node's `fs`.

const errors = {
  EACCES: 2,
  EBADF: 8,
  EEXIST: 20,
  EINVAL: 28,
  EISDIR: 31,
  ELOOP: 32,
  EMFILE: 33,
  ENAMETOOLONG: 37,
  ENOENT: 44,
  ENOSPC: 51,
  ENOTDIR: 54,
  EPERM: 63,
  EROFS: 69,
};
const inputOutput = 29; // any other
const fileTypes = { folder: 3, file: 4, other: 0 };
const openFlags = { create: 1, folder: 2, exclusive: 4, truncate: 8 };
const rightToWrite = 1n << 6n;
const rootHandle = 3;

function fail(code) {
  throw Object.assign(new Error(code), { code });
}

class MemoryFile {
  static #count = 0n;
  #bytes;
  #size;
  #number = ++MemoryFile.#count;
  #changed = BigInt(Date.now()) * 1_000_000n;

  constructor(bytes) {
    this.#bytes = bytes;
    this.#size = bytes.length;
  }
  get bytes() {
    return this.#bytes.slice(0, this.#size);
  }
  read(into, at) {
    const from = this.#bytes.subarray(Math.min(at, this.#size), Math.min(at + into.length, this.#size));
    into.set(from);
    return from.length;
  }
  write(from, at) {
    this.truncate(Math.max(this.#size, at + from.length));
    this.#bytes.set(from, at);
    return from.length;
  }
  truncate(size) {
    if (size > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(size, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, this.#size));
      this.#bytes = larger;
    } else if (size > this.#size) {
      this.#bytes.fill(0, this.#size, size);
    }
    this.#size = size;
  }
  stat() {
    return { dev: 0n, ino: this.#number, type: fileTypes.file, size: BigInt(this.#size), changed: this.#changed };
  }
  sync() {}
  close() {}
}

function statOf(status) {
  const type = status.isFile() ? fileTypes.file : status.isDirectory() ? fileTypes.folder : fileTypes.other;
  return { dev: BigInt.asUintN(64, status.dev + 1n), ino: status.ino, type, size: status.size, changed: status.mtimeNs };
}

class DiskFile {
  #fs;
  #handle;

  constructor(fs, path, flags) {
    this.#fs = fs;
    this.#handle = fs.openSync(path, flags);
  }
  read(into, at) {
    return this.#fs.readSync(this.#handle, into, 0, into.length, at);
  }
  write(from, at) {
    return this.#fs.writeSync(this.#handle, from, 0, from.length, at);
  }
  truncate(size) {
    this.#fs.ftruncateSync(this.#handle, size);
  }
  stat() {
    return statOf(this.#fs.fstatSync(this.#handle, { bigint: true }));
  }
  sync() {
    this.#fs.fsyncSync(this.#handle);
  }
  close() {
    this.#fs.closeSync(this.#handle);
  }
}

/** The files of one instance. `fs`: Node's, or null. What is below `memoryFolder` is in memory, and without `fs` everything is. */
export class System {
  static memoryFolder = "/(memory)";
  #fs;
  #folder;
  #kept = new Map(); // files in memory, by their absolute paths
  #open = new Map(); // by handle: the file, and where it is read
  #next = rootHandle + 1;
  #memory;

  /** `folder`: where relative paths begin, an absolute path. */
  constructor(fs, folder) {
    this.#fs = fs;
    this.#folder = folder;
  }

  #absolute(path) {
    const names = [];
    for (const name of (path.startsWith("/") ? path : `${this.#folder}/${path}`).split("/")) {
      if (name === "..") names.pop();
      else if (name !== "" && name !== ".") names.push(name);
    }
    return `/${names.join("/")}`;
  }
  put(path, bytes) {
    this.#kept.set(this.#absolute(path), new MemoryFile(bytes));
  }
  get(path) {
    return this.#kept.get(this.#absolute(path))?.bytes ?? null;
  }
  remove(path) {
    this.#kept.delete(this.#absolute(path));
  }

  /** Before an instance starts to run: `memory` is its own. What another one left open is closed. */
  attach(memory) {
    this.#memory = memory;
    for (const { file } of this.#open.values()) file.close();
    this.#open.clear();
  }

  get #bytes() {
    return new Uint8Array(this.#memory.buffer);
  }
  get #view() {
    return new DataView(this.#memory.buffer);
  }
  #opened(handle) {
    return this.#open.get(handle) ?? fail("EBADF");
  }
  /** Paths come relative to the root. */
  #path(at, size) {
    return this.#absolute(`/${new TextDecoder().decode(this.#bytes.slice(at >>> 0, (at >>> 0) + (size >>> 0)))}`);
  }
  #isKept(path) {
    return this.#fs === null || path.startsWith(`${System.memoryFolder}/`);
  }

  #openFile(path, flags, writes) {
    const kept = this.#kept.get(path);
    if (kept === undefined && !this.#isKept(path)) return this.#openOnDisk(path, flags, writes);
    if ((flags & openFlags.folder) !== 0) fail("ENOTDIR");
    if (kept === undefined) {
      if ((flags & openFlags.create) === 0) fail("ENOENT");
      this.#kept.set(path, new MemoryFile(new Uint8Array(0)));
    } else if ((flags & openFlags.exclusive) !== 0) {
      fail("EEXIST");
    } else if ((flags & openFlags.truncate) !== 0) {
      kept.truncate(0);
    }
    return this.#kept.get(path);
  }
  #openOnDisk(path, flags, writes) {
    const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_DIRECTORY, O_NONBLOCK } = this.#fs.constants;
    const table = [
      [openFlags.create, O_CREAT],
      [openFlags.exclusive, O_EXCL],
      [openFlags.truncate, O_TRUNC],
      [openFlags.folder, O_DIRECTORY],
    ];
    const all = table.reduce((sum, [flag, own]) => sum | ((flags & flag) !== 0 ? own : 0), O_NONBLOCK ?? 0);
    return new DiskFile(this.#fs, path, all | (writes ? O_RDWR : O_RDONLY));
  }

  #putStat(at, { dev, ino, type, size, changed }) {
    this.#bytes.fill(0, at, at + 64);
    const view = this.#view;
    view.setBigUint64(at, dev, true);
    view.setBigUint64(at + 8, ino, true);
    view.setUint8(at + 16, type);
    view.setBigUint64(at + 24, 1n, true);
    view.setBigUint64(at + 32, size, true);
    for (const time of [40, 48, 56]) view.setBigUint64(at + time, changed, true);
  }

  /** Calls `move(bytes, at)` with each range of a list, until one is not moved as a whole; puts how many bytes were moved. */
  #moveRanges(ranges, count, at, moved, move) {
    let sum = 0;
    for (let i = 0; i < count; ++i) {
      const place = this.#view.getUint32(ranges + 8 * i, true);
      const size = this.#view.getUint32(ranges + 8 * i + 4, true);
      const done = size === 0 ? 0 : move(this.#bytes.subarray(place, place + size), at + sum);
      sum += done;
      if (done < size) break;
    }
    this.#view.setUint32(moved, sum, true);
    return sum;
  }

  /** WASI's functions; those that are not here say that they are not supported. src: WASI preview 1, wasi_snapshot_preview1.witx */
  get functions() {
    const table = {
      fd_prestat_get: (handle, at) => {
        if (handle !== rootHandle) fail("EBADF");
        this.#view.setUint32(at, 0, true); // a folder
        this.#view.setUint32(at + 4, 1, true);
      },
      fd_prestat_dir_name: (handle, at) => {
        this.#bytes[at] = 0x2f;
      },
      fd_fdstat_get: (handle, at) => {
        if (handle !== rootHandle) this.#opened(handle);
        this.#bytes.fill(0, at, at + 8);
        this.#bytes[at] = handle === rootHandle ? fileTypes.folder : fileTypes.file;
        this.#bytes.fill(0xff, at + 8, at + 24); // all rights
      },
      fd_filestat_get: (handle, at) => this.#putStat(at, this.#opened(handle).file.stat()),
      path_filestat_get: (folder, flags, path, size, at) => {
        const name = this.#path(path, size);
        const kept = this.#kept.get(name);
        if (kept === undefined && this.#isKept(name)) fail("ENOENT");
        this.#putStat(at, kept?.stat() ?? statOf(this.#fs.statSync(name, { bigint: true })));
      },
      path_open: (folder, how, path, size, flags, rights, inherited, state, at) => {
        const file = this.#openFile(this.#path(path, size), flags, (rights & rightToWrite) !== 0n);
        const handle = this.#next++;
        this.#open.set(handle, { file, at: 0 });
        this.#view.setUint32(at, handle, true);
      },
      path_unlink_file: (folder, path, size) => {
        const name = this.#path(path, size);
        if (this.#kept.delete(name)) return;
        if (this.#isKept(name)) fail("ENOENT");
        this.#fs.unlinkSync(name);
      },
      fd_close: (handle) => {
        this.#opened(handle).file.close();
        this.#open.delete(handle);
      },
      fd_sync: (handle) => this.#opened(handle).file.sync(),
      fd_datasync: (handle) => this.#opened(handle).file.sync(),
      fd_filestat_set_size: (handle, size) => this.#opened(handle).file.truncate(Number(size)),
      fd_seek: (handle, offset, from, at) => {
        const opened = this.#opened(handle);
        const base = [0, opened.at, Number(opened.file.stat().size)][from];
        opened.at = Math.max(base + Number(offset), 0);
        this.#view.setBigUint64(at, BigInt(opened.at), true);
      },
      fd_pread: (handle, ranges, count, offset, moved) => {
        const { file } = this.#opened(handle);
        this.#moveRanges(ranges, count, Number(offset), moved, (bytes, at) => file.read(bytes, at));
      },
      fd_pwrite: (handle, ranges, count, offset, moved) => {
        const { file } = this.#opened(handle);
        this.#moveRanges(ranges, count, Number(offset), moved, (bytes, at) => file.write(bytes, at));
      },
      fd_read: (handle, ranges, count, moved) => {
        const opened = this.#opened(handle);
        opened.at += this.#moveRanges(ranges, count, opened.at, moved, (bytes, at) => opened.file.read(bytes, at));
      },
      fd_write: (handle, ranges, count, moved) => {
        const opened = this.#opened(handle);
        opened.at += this.#moveRanges(ranges, count, opened.at, moved, (bytes, at) => opened.file.write(bytes, at));
      },
      environ_sizes_get: (count, size) => {
        this.#view.setUint32(count, 0, true);
        this.#view.setUint32(size, 0, true);
      },
      environ_get: () => {},
      clock_time_get: (clock, precision, at) => {
        const milliseconds = clock === 0 ? Date.now() : performance.now();
        this.#view.setBigUint64(at, BigInt(Math.round(milliseconds * 1000)) * 1000n, true);
      },
      random_get: (at, size) => {
        globalThis.crypto.getRandomValues(this.#bytes.subarray(at, at + size));
      },
    };
    const named = {};
    for (const [name, body] of Object.entries(table)) {
      named[name] = (...parameters) => {
        try {
          body(...parameters);
          return 0;
        } catch (fault) {
          if (typeof fault?.code !== "string") throw fault;
          return errors[fault.code] ?? inputOutput;
        }
      };
    }
    return named;
  }
}
