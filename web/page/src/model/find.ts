// Searches in bytes: "4d cf ?? ??", a quoted or plain text, a real number.
import type { FileBytes } from "./bytes.svelte";

/** A byte, or null for any. */
export type Pattern = readonly (number | null)[];

/** The bytes that a search text may mean; the first that occurs counts. */
export function patterns(text: string): Pattern[] {
  const found: Pattern[] = [];
  const trimmed = text.trim();
  if (/^([0-9a-f]{2}|\?\?)(\s+([0-9a-f]{2}|\?\?))*$/i.test(trimmed)) {
    found.push(trimmed.split(/\s+/).map((pair) => (pair === "??" ? null : parseInt(pair, 16))));
  }
  if (/^[+-]?(\d+\.\d*|\.\d+|\d+e[+-]?\d+)f?$/i.test(trimmed)) {
    found.push([...new Uint8Array(Float32Array.of(parseFloat(trimmed)).buffer)]);
  }
  if (/^0x[0-9a-f]{1,8}$/i.test(trimmed)) found.push([...new Uint8Array(Uint32Array.of(Number(trimmed)).buffer)]);
  const quoted = /^"(.*)"$/.exec(trimmed);
  const plain = quoted ? quoted[1]! : trimmed;
  if (plain !== "") found.push([...new TextEncoder().encode(plain)]);
  return found;
}

/** Bytes of a file that is not read whole that are looked at together. */
const kWindow = 8 << 20;

/** As findBytes(), in a file of any size. */
export async function findIn(bytes: FileBytes, pattern: Pattern, from: number): Promise<number> {
  if (bytes.whole) return findBytes(bytes.whole, pattern, from);
  const starts = [...windows(from + 1, bytes.size), ...windows(0, Math.min(bytes.size, from + pattern.length))];
  for (const [start, size] of starts) {
    const at = findBytes(await bytes.read(start, size + pattern.length - 1), pattern, -1);
    if (at >= 0) return start + at;
  }
  return -1;
}

function windows(from: number, to: number): [number, number][] {
  return Array.from({ length: Math.max(0, Math.ceil((to - from) / kWindow)) }, (_, i): [number, number] => {
    const start = from + i * kWindow;
    return [start, Math.min(kWindow, to - start)];
  });
}

/** Where a pattern next occurs behind `from`, or from the start again; -1 for nowhere. */
export function findBytes(bytes: Uint8Array, pattern: Pattern, from: number): number {
  const last = bytes.length - pattern.length;
  if (last < 0) return -1;
  for (let i = 0; i <= last; ++i) {
    const at = (from + 1 + i) % (last + 1);
    if (pattern.every((byte, j) => byte === null || bytes[at + j] === byte)) return at;
  }
  return -1;
}
