// A shader in another language, and which lines of the listing its lines are written of. Lines from 0.
import type { WrittenData } from "../engine/verbs";

/** In the order in which they are offered. */
export const languages = [
  { id: "hlsl", title: "HLSL, decompiled", suffix: ".hlsl" },
  { id: "glsl", title: "GLSL, decompiled", suffix: ".glsl" },
  { id: "spirv", title: "SPIR-V, translated", suffix: ".spv" },
] as const;
export type Language = (typeof languages)[number]["id"];

export class Decompiled {
  readonly text: string;
  /** What is saved. */
  readonly blob: Blob;
  private readonly toListing = new Map<number, number>();
  private readonly toText = new Map<number, number[]>();
  /** Lines of the listing that something is written of, rising. */
  private readonly placed: number[];

  constructor({ text, lines, bytes }: WrittenData) {
    this.text = text;
    this.blob = new Blob([(bytes as Uint8Array<ArrayBuffer> | null) ?? text]);
    for (const { line, listing } of lines) {
      this.toListing.set(line - 1, listing - 1);
      this.toText.set(listing - 1, [...(this.toText.get(listing - 1) ?? []), line - 1]);
    }
    this.placed = [...this.toText.keys()].sort((a, b) => a - b);
  }

  listingLine(line: number): number | null {
    return this.toListing.get(line) ?? null;
  }

  /** The lines that are written of lines of the listing. What has none of its own is written in a later one. */
  linesOf(listing: readonly number[]): number[] {
    const found = new Set<number>();
    const first = this.placed[0];
    for (const line of listing) {
      if (first === undefined || line < first) continue;
      const at = this.placed.find((one) => one >= line);
      if (at !== undefined) for (const one of this.toText.get(at)!) found.add(one);
    }
    return [...found].sort((a, b) => a - b);
  }
}
