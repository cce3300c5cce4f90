// The field tree of a file, as the library's flat words: answers without asking the worker.
import type { Message } from "unshade";
import type { TreeData } from "../engine/verbs";

const kWords = 6;
const kNone = 0xffffffff;

export const kinds = [
  "group", "unsigned", "signed", "hexadecimal", "offset", "real", "enumeration", "flags", "bits", "component_mask", "fourcc", "text", "bytes",
  "padding", "unknown", "custom",
] as const;
export type Kind = (typeof kinds)[number];

export class FieldTree {
  readonly count: number;
  readonly errors: readonly Message[];
  private readonly words: Uint32Array;
  private readonly names: readonly string[];
  private readonly firstChild: Int32Array;
  private readonly nextSibling: Int32Array;
  /** Fields without children that have bytes, by their offsets. */
  private readonly leaves: Uint32Array;
  private readonly partNumber: Uint32Array;
  private readonly childCount: Uint32Array;
  private readonly place: Uint32Array;

  constructor(data: TreeData) {
    this.words = data.words;
    this.names = data.names;
    this.errors = data.errors;
    const count = data.words.length / kWords;
    this.count = count;
    this.firstChild = new Int32Array(count).fill(-1);
    this.nextSibling = new Int32Array(count).fill(-1);
    this.partNumber = new Uint32Array(count);
    this.childCount = new Uint32Array(count);
    this.place = new Uint32Array(count);
    const lastChild = new Int32Array(count).fill(-1);
    const parts = new Map<number, number>();
    const part = (name: number): number => {
      if (!parts.has(name)) parts.set(name, parts.size);
      return parts.get(name)!;
    };
    for (let field = 1; field < count; ++field) {
      const parent = this.parent(field);
      if (lastChild[parent] === -1) this.firstChild[parent] = field;
      else this.nextSibling[lastChild[parent]!] = field;
      lastChild[parent] = field;
      this.place[field] = this.childCount[parent]!++;
      this.partNumber[field] = parent === 0 ? part(this.words[field * kWords + 4]!) : this.partNumber[parent]!;
    }
    const leaves: number[] = [];
    for (let field = 0; field < count; ++field) if (this.firstChild[field] === -1 && this.size(field) > 0) leaves.push(field);
    this.leaves = Uint32Array.from(leaves).sort((a, b) => this.offset(a) - this.offset(b) || a - b);
  }

  parent(field: number): number {
    return this.words[field * kWords]!;
  }
  offset(field: number): number {
    return this.words[field * kWords + 1]!;
  }
  size(field: number): number {
    return this.words[field * kWords + 2]!;
  }
  kind(field: number): Kind {
    return kinds[this.words[field * kWords + 5]!] ?? "unknown";
  }
  isGroup(field: number): boolean {
    return this.firstChild[field] !== -1;
  }

  /** "elements[3]" */
  label(field: number): string {
    const index = this.words[field * kWords + 3]!;
    const name = this.names[this.words[field * kWords + 4]!] ?? "";
    return index === kNone ? name : `${name}[${index}]`;
  }

  /** From the outermost to the field; the file itself is not among them. */
  chain(field: number): number[] {
    const chain: number[] = [];
    for (let f = field; f !== 0; f = this.parent(f)) chain.push(f);
    return chain.reverse();
  }

  /** "ISGN/elements[3]/register" */
  path(field: number): string {
    return this.chain(field)
      .map((f) => this.label(f))
      .join("/");
  }

  find(path: string): number {
    let field = 0;
    for (const step of path.split("/").filter((s) => s !== "")) {
      const next = this.children(field).find((child) => this.label(child) === step);
      if (next === undefined) return 0;
      field = next;
    }
    return field;
  }

  children(field: number): number[] {
    const children: number[] = [];
    for (let child = this.firstChild[field]!; child !== -1; child = this.nextSibling[child]!) children.push(child);
    return children;
  }

  /** Its place among the fields of its group, from 0, and how many they are. */
  placeInGroup(field: number): { place: number; count: number } {
    return { place: this.place[field]!, count: this.childCount[this.parent(field)]! };
  }

  /** The field whose value tells what a group is: of an instruction, its text. */
  title(group: number): number {
    const first = this.firstChild[group]!;
    return first !== -1 && this.kind(first) === "custom" ? first : 0;
  }

  depth(field: number): number {
    let depth = 0;
    for (let f = field; f !== 0; f = this.parent(f)) ++depth;
    return depth;
  }

  /** A number for the outermost group that a field is in, from 0, the same for all elements of an array: its colour. */
  part(field: number): number {
    return this.partNumber[field]!;
  }

  /** The leaf that a byte belongs to; 0 for none. */
  at(offset: number): number {
    const leaf = this.leaves[this.leafIndex(offset)];
    return leaf !== undefined && offset < this.offset(leaf) + this.size(leaf) ? leaf : 0;
  }

  /** The smallest field that has exactly these bytes, else the smallest around them. */
  around(offset: number, size: number): number {
    let field = this.at(offset);
    while (field !== 0 && this.offset(field) + this.size(field) < offset + size) field = this.parent(field);
    for (let f = field; f !== 0 && this.offset(f) === offset && this.size(f) === size; f = this.parent(f)) field = f;
    return field;
  }

  /** The leaf before (-1) or behind (1) an offset's; 0 at the ends. */
  neighbour(offset: number, step: -1 | 1): number {
    return this.leaves[this.leafIndex(offset) + step] ?? 0;
  }

  private leafIndex(offset: number): number {
    let low = 0;
    let high = this.leaves.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.offset(this.leaves[middle]!) <= offset) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
