// Shaders inside a file that is none itself.
import type { Family } from "unshade";
import type { UnpackFault } from "unshade/files";
import { canUnpack } from "../engine/unpacker";
import { Carver } from "./carver.svelte";
import type { Content } from "./content.svelte";
import { Unpacker } from "./unpacker.svelte";

/** A shader that was found. */
export interface Found {
  /** As `scan` prints it after the file's name and a "!": "dir/lit.cso", "(gzip)!lit.cso:0x00000010"; of one that lies in the file as it is, its offset. */
  readonly name: string;
  /** In the file, bytes; null: it was unpacked. */
  readonly offset: number | null;
  readonly size: number;
  readonly family: Family;
  /** "pixel", "ps_5_0"; or "" */
  readonly stage: string;
  readonly profile: string;
  readonly certainty: string;
  /** The names of other places with the same bytes. */
  readonly others: readonly string[];
  read(): Promise<Uint8Array>;
}

export type SearchState = "waiting" | "loading" | "searching" | "done" | "stopped" | "failed";

export interface ShaderSearch {
  readonly state: SearchState;
  readonly found: readonly Found[];
  /** What could not be unpacked. */
  readonly faults: readonly UnpackFault[];
  /** Why it has failed. */
  readonly error: Error | null;
  /** Of what is to be read, from 0 to 1. */
  readonly progress: number;
  /** Begins, unless it has begun. */
  start(): void;
  stop(): void;
}

/** Text has no such bytes, and everything that holds shaders or archives has. */
const isText = (bytes: Uint8Array) => bytes.every((byte) => byte > 8);

/** The second module is loaded for what may be an archive: which files are, it knows alone. */
export function searchOf(content: Content): ShaderSearch {
  const { whole } = content.bytes;
  return canUnpack && !(whole && isText(whole)) ? new Unpacker(content) : new Carver(content);
}
