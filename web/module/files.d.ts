// Shaders in archives, compressed files and files of engines, and databases of shaders: a module of its own, unshade-files.wasm.
//
//   import { loadFiles } from "unshade/files";
//   const files = await loadFiles();
//   const { shaders, faults } = files.unpack(bytes);
//   const index = files.newIndex({ keep: true });
//   index.add([{ name: "game.zip", bytes }]);
//   index.search("albedo", { uses: "sample*" });
//
// Every function returns when it is done. What can fail throws an UnshadeError.

import type { IndexStats, Search } from "./json.js";
import type { Bytes, ErrorCode, Family, Hit } from "./unshade.js";

export { UnshadeError } from "./unshade.js";

/** What of Node's `fs` is used: give `import * as fs from "node:fs"`. */
export interface FileSystem {
  readonly constants: Readonly<Record<string, number>>;
  openSync(path: string, flags: number): number;
  closeSync(file: number): void;
  readSync(file: number, into: Uint8Array, offset: number, length: number, position: number): number;
  writeSync(file: number, from: Uint8Array, offset: number, length: number, position: number): number;
  ftruncateSync(file: number, size: number): void;
  fsyncSync(file: number): void;
  fstatSync(file: number, options: { bigint: true }): unknown;
  statSync(path: string, options: { bigint: true }): unknown;
  unlinkSync(path: string): void;
}

export interface LoadFilesOptions {
  /** As of load(); without it the unshade-files.wasm beside this module. */
  source?: URL | string | Response | PromiseLike<Response> | BufferSource | WebAssembly.Module;
  /** Files by their paths. Without it there is memory alone, as in a page. */
  fs?: FileSystem;
  /** Where relative paths begin, an absolute path; the working directory without. */
  folder?: string;
}
export function loadFiles(options?: LoadFilesOptions): Promise<Files>;

export class Files {
  private constructor();
  /** To post to a worker, which gives it to loadFiles(). */
  readonly module: WebAssembly.Module;

  /** The shaders in bytes of any kind, also in what is packed in them, layer by layer: docs/howto/scan.md has the forms. `decompress`: in
   *  compressed streams at any place, too. */
  unpack(bytes: Bytes, options?: { decompress?: boolean }): Unpacked;
  /** The same of a file, which is read piece by piece. Needs `fs`. */
  unpackFile(path: string, options?: { decompress?: boolean }): Unpacked;

  /** An empty database in memory. `keep`: it keeps the bytes of shaders; `text`: the words of listings. */
  newIndex(options?: { keep?: boolean; text?: boolean }): Index;
  /** A database of bytes, which are copied, or of a path, which needs `fs`. `make`: to change the file; one that is absent or empty becomes a
   *  database. Nothing is locked: no other process may write to it meanwhile. */
  openIndex(bytes: Bytes): Index;
  openIndex(path: string, options?: { make?: boolean; keep?: boolean; text?: boolean }): Index;
}

export interface Unpacked {
  readonly shaders: PackedShader[];
  /** What could not be unpacked. */
  readonly faults: UnpackFault[];
}

export interface PackedShader extends Pick<Hit, "size" | "parent" | "form" | "certainty"> {
  /** Bytes from the start of the file or, if there are layers, of what the last one holds. */
  readonly offset: number;
  readonly family: Family;
  /** "pixel", or "" */
  readonly stage: string;
  /** "ps_5_0", or "" */
  readonly profile: string;
  /** What it was unpacked from, from the outside in; none: it lies in the file as it is. */
  readonly layers: readonly Layer[];
  readonly bytes: Uint8Array;
}

export interface Layer {
  /** "zip", "gzip", "unityfs" */
  readonly form: string;
  /** Its name there, or null. */
  readonly member: string | null;
  /** Of a stream among other bytes, or null. */
  readonly offset: number | null;
}

export interface UnpackFault {
  /** "!textures.zip!(gzip)" */
  readonly layers: string;
  readonly code: ErrorCode;
  readonly message: string;
  /** In the packed bytes. */
  readonly offset: number;
}

export interface FileFault {
  /** With the layers in it. */
  readonly file: string;
  /** "io": the file itself cannot be read. */
  readonly code: ErrorCode | "io";
  readonly message: string;
  readonly offset: number;
}

export interface Added {
  /** Files that were searched; left out, for they have not changed; and that are gone. */
  readonly files: number;
  readonly unchanged: number;
  readonly removed: number;
  /** In the files that were searched. */
  readonly bytes: number;
  readonly shaders: number;
  /** Shaders that the database did not have. */
  readonly added: number;
  readonly faults: FileFault[];
}

export interface Merged {
  /** That the other databases have. */
  readonly files: number;
  /** Of them, files that the database had with shaders that they do not have any more. */
  readonly replaced: number;
  /** Shaders that the database did not have. */
  readonly added: number;
}

/** All conditions must be fulfilled. docs/howto/search.md */
export interface SearchOptions {
  /** "cbuffer:Camera", "t3" */
  binds?: string | Iterable<string>;
  /** Opcodes: "sample*" */
  uses?: string | Iterable<string>;
  /** What any tool calls it. */
  hash?: string;
  /** SQL over the columns: "profile = 'ps_5_0'" */
  where?: string;
  /** Of listings, if the database keeps them. */
  words?: string;
  /** A shader: the most similar ones first, at least `threshold` percent; 50 without. */
  like?: Bytes;
  threshold?: number;
  /** Lines of listings, extended of POSIX. A database that keeps no bytes reads the files again, which needs `fs`. */
  regex?: string;
  ignoreCase?: boolean;
  /** Lines before and after each. */
  context?: number;
  /** The most shaders that are given; 0: all. */
  limit?: number;
}

export class Index {
  private constructor();
  /** The database as it is now; null where it is a file of `fs`. */
  readonly bytes: Uint8Array | null;

  /** Finds the shaders in files, by their paths in `fs` or of bytes under a name, and adds them. `update`: only what has changed, which is
   *  the default; `decompress`: in compressed streams at any place, too. */
  add(files: readonly (string | { name: string; bytes: Bytes })[], options?: { update?: boolean; decompress?: boolean }): Added;
  /** Takes a file out, by its name. */
  remove(file: string): void;
  /** Adds all that other databases have: of bytes, of paths in `fs`, or that are open. Of a file that this one has already, the new shaders replace
   *  the old ones. All are checked first: two of them must not have different files under one path, and they must keep what this one keeps.
   *  The `path` of an error of the second is "others[1]". */
  merge(others: readonly (Bytes | string | Index)[]): Merged;
  /** Reads all of it, and throws if something in it is wrong. */
  check(): void;
  /** What is in it, counted. */
  stats(): IndexStats["files"][number];
  /** The shaders that fulfil all conditions. `text`: a part of a name in the interface. */
  search(text?: string | null, options?: SearchOptions): Search[];

  free(): void;
  [Symbol.dispose](): void;
}
