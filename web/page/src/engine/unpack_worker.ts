// Finds the shaders in one file and in what is packed in it, and ends: the library's second module is here alone.
import { loadFiles, type PackedShader, type UnpackFault } from "unshade/files";
import { blobFiles, kPath } from "./blob_files";
import type { Fault } from "./worker";

/** A shader and where its bytes are in those of the answer: shaders of the same bytes share them. */
export type Unpacked = Omit<PackedShader, "bytes"> & { at: number };

export type UnpackReply =
  | { loaded: true }
  | { read: number }
  | { shaders: readonly Unpacked[]; bytes: Blob; faults: readonly UnpackFault[] }
  | { fault: Fault };

const kBetweenReplies = 100; // milliseconds
const post = (reply: UnpackReply) => self.postMessage(reply);

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** FNV-1a */
function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
}

/** Bytes of which each is there once. */
class Distinct {
  readonly parts: Uint8Array[] = [];
  private size = 0;
  private readonly known = new Map<number, { at: number; bytes: Uint8Array }[]>();

  /** Where they are. */
  add(bytes: Uint8Array): number {
    const hash = hashOf(bytes);
    const same = this.known.get(hash) ?? [];
    const found = same.find((one) => areEqual(one.bytes, bytes));
    if (found) return found.at;
    const at = this.size;
    this.known.set(hash, [...same, { at, bytes }]);
    this.parts.push(bytes);
    this.size += bytes.length;
    return at;
  }
}

self.onmessage = async ({ data: file }: MessageEvent<Blob>) => {
  let isLoaded = false;
  try {
    let told = 0;
    const onread = (read: number) => {
      if (performance.now() - told < kBetweenReplies) return;
      told = performance.now();
      post({ read });
    };
    const files = await loadFiles({ fs: blobFiles(file, onread), folder: "/" });
    isLoaded = true;
    post({ loaded: true });
    const { shaders, faults } = files.unpackFile(kPath);
    const distinct = new Distinct();
    // What lies in a shader that was found is a part of it.
    const rows = shaders.filter(({ parent }) => parent === null).map(({ bytes, ...shader }) => ({ ...shader, at: distinct.add(bytes) }));
    post({ shaders: rows, bytes: new Blob(distinct.parts as Uint8Array<ArrayBuffer>[]), faults });
  } catch (error) {
    const { code, message = String(error), offset = 0, path = "" } = error as Partial<Fault>;
    const text = isLoaded ? message : `what opens archives could not be loaded: ${message}`;
    post({ fault: { code: typeof code === "string" ? code : "internal", message: text, offset, path, file: "" } });
  }
};
