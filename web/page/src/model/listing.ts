// A listing, its words by class, and which instruction of the file each line is.
import type { ListingData } from "../engine/verbs";

const kLine = 4;
const kToken = 3;
const kNone = 0xffffffff;

/** By the class of a token. */
export const tokenClasses = ["opcode", "value", "number", "text", "comment", "directive"] as const;

export class Listing {
  readonly text: string;
  readonly lineCount: number;
  private readonly lines: Uint32Array;
  private readonly tokens: Uint32Array;
  /** Lines that have an instruction, by its offset. */
  private readonly placed: Uint32Array;

  constructor(data: ListingData) {
    this.text = data.text;
    this.lines = data.lines;
    this.tokens = data.tokens;
    this.lineCount = data.lines.length / kLine;
    const placed: number[] = [];
    for (let line = 0; line < this.lineCount; ++line) if (this.place(line) !== null) placed.push(line);
    this.placed = Uint32Array.from(placed).sort((a, b) => this.lines[a * kLine + 2]! - this.lines[b * kLine + 2]! || a - b);
  }

  /** Whether lines know their bytes. */
  get isPlaced(): boolean {
    return this.placed.length > 0;
  }

  /** The bytes of a line's instruction; lines from 0. */
  place(line: number): { offset: number; size: number } | null {
    const offset = this.lines[line * kLine + 2];
    return offset === undefined || offset === kNone ? null : { offset, size: this.lines[line * kLine + 3]! };
  }

  /** The lines whose instructions have bytes in a range. */
  linesIn(offset: number, size: number): number[] {
    const found: number[] = [];
    let low = 0;
    let high = this.placed.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const { offset: at, size: length } = this.place(this.placed[middle]!)!;
      if (at + length <= offset) low = middle + 1;
      else high = middle;
    }
    for (; low < this.placed.length; ++low) {
      const line = this.placed[low]!;
      if (this.place(line)!.offset >= offset + size) break;
      found.push(line);
    }
    return found;
  }

  /** The words of the text between two places of it. */
  *tokensIn(from: number, to: number): Iterable<{ from: number; to: number; class: (typeof tokenClasses)[number] }> {
    let low = 0;
    let high = this.tokens.length / kToken;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.tokens[middle * kToken]! + this.tokens[middle * kToken + 1]! <= from) low = middle + 1;
      else high = middle;
    }
    for (let i = low * kToken; i < this.tokens.length && this.tokens[i]! < to; i += kToken) {
      const start = this.tokens[i]!;
      yield { from: start, to: start + this.tokens[i + 1]!, class: tokenClasses[this.tokens[i + 2]!] ?? "value" };
    }
  }
}
