// One file of the browser as the library's module of files reads it: piece by piece, so that any size will do. Only in a worker.
import type { FileSystem } from "unshade/files";

export const kPath = "/file";

const kPiece = 4 << 20;
const kPiecesKept = 4;

const fault = (code: string) => Object.assign(new Error(code), { code });
const refuse = (): never => {
  throw fault("EROFS");
};

/** `onread` gets how many bytes were read so far; some are read twice. */
export function blobFiles(blob: Blob, onread: (bytes: number) => void): FileSystem {
  const reader = new FileReaderSync();
  const pieces = new Map<number, Uint8Array>(); // the last one that was used is the last
  let read = 0;

  function piece(number: number): Uint8Array {
    let bytes = pieces.get(number);
    pieces.delete(number);
    if (!bytes) {
      try {
        bytes = new Uint8Array(reader.readAsArrayBuffer(blob.slice(number * kPiece, (number + 1) * kPiece)));
      } catch {
        throw fault("EIO"); // it has changed, or is gone
      }
      onread((read += bytes.length));
    }
    pieces.set(number, bytes);
    if (pieces.size > kPiecesKept) pieces.delete(pieces.keys().next().value!);
    return bytes;
  }

  const state = { isFile: () => true, isDirectory: () => false, size: BigInt(blob.size), dev: 0n, ino: 1n, mtimeNs: 0n };
  const known = (path: string) => {
    if (path !== kPath) throw fault("ENOENT");
  };
  return {
    constants: { O_RDONLY: 0, O_RDWR: 2, O_CREAT: 4, O_EXCL: 8, O_TRUNC: 16, O_DIRECTORY: 32 },
    openSync(path, flags) {
      known(path);
      if (flags !== 0) refuse();
      return 1;
    },
    closeSync() {},
    readSync(_, into, offset, length, position) {
      let done = 0;
      while (done < length && position + done < blob.size) {
        const at = position + done;
        const bytes = piece(Math.floor(at / kPiece)).subarray(at % kPiece, (at % kPiece) + length - done);
        into.set(bytes, offset + done);
        done += bytes.length;
      }
      return done;
    },
    fstatSync: () => state,
    statSync(path) {
      known(path);
      return state;
    },
    writeSync: refuse,
    ftruncateSync: refuse,
    fsyncSync() {},
    unlinkSync: refuse,
  };
}
