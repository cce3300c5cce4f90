// Bytes of two files in rows, equal ones beside each other. CodeMirror's comparison does the work: a byte is a character to it.
import { diff } from "@codemirror/merge";

export interface Side {
  offset: number;
  bytes: Uint8Array;
}

export interface Row {
  before: Side | null;
  after: Side | null;
  isSame: boolean;
}

const kColumns = 8;
/** Rows of equal bytes that are kept around those that differ. */
const kAround = 2;

function text(bytes: Uint8Array): string {
  let made = "";
  for (let i = 0; i < bytes.length; i += 8192) made += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return made;
}

function rowsOf(bytes: Uint8Array, from: number, to: number): Side[] {
  const rows: Side[] = [];
  for (let at = from; at < to; at += kColumns) rows.push({ offset: at, bytes: bytes.subarray(at, Math.min(to, at + kColumns)) });
  return rows;
}

export interface Comparison {
  rows: (Row | { skipped: number })[];
  /** Bytes of the first file that the second lacks, and the reverse. */
  removed: number;
  added: number;
}

export function compareBytes(before: Uint8Array, after: Uint8Array): Comparison {
  const changes = diff(text(before), text(after), { scanLimit: 2000, timeout: 1000 });
  const rows: (Row | { skipped: number })[] = [];
  let removed = 0;
  let added = 0;
  let a = 0;
  let b = 0;
  const equal = (to: number, isLast: boolean): void => {
    const left = rowsOf(before, a, to);
    const right = rowsOf(after, b, b + (to - a));
    const same = left.map((side, i): Row => ({ before: side, after: right[i]!, isSame: true }));
    const head = rows.length === 0 ? 0 : kAround;
    const tail = isLast ? 0 : kAround;
    if (same.length > head + tail + 1) {
      rows.push(...same.slice(0, head), { skipped: to - a - kColumns * (head + tail) }, ...same.slice(same.length - tail));
    } else rows.push(...same);
  };
  for (const { fromA, toA, fromB, toB } of changes) {
    equal(fromA, false);
    const left = rowsOf(before, fromA, toA);
    const right = rowsOf(after, fromB, toB);
    for (let i = 0; i < Math.max(left.length, right.length); ++i) rows.push({ before: left[i] ?? null, after: right[i] ?? null, isSame: false });
    removed += toA - fromA;
    added += toB - fromB;
    a = toA;
    b = toB;
  }
  equal(before.length, true);
  return { rows, removed, added };
}
