// The files that the worker knows, and what was made of each.
import type { Shader, Tree, Unshade } from "unshade";

interface Held {
  name: string;
  bytes: Uint8Array;
  shader?: Shader;
  tree?: Tree;
}

export class Host {
  private readonly held = new Map<number, Held>();

  constructor(readonly unshade: Unshade) {}

  add(file: number, name: string, bytes: Uint8Array): void {
    this.held.set(file, { name, bytes });
  }

  drop(file: number): void {
    const held = this.held.get(file);
    held?.shader?.free();
    held?.tree?.free();
    this.held.delete(file);
  }

  bytes(file: number): Uint8Array {
    return this.find(file).bytes;
  }

  name(file: number): string {
    return this.held.get(file)?.name ?? "";
  }

  shader(file: number): Shader {
    const held = this.find(file);
    return (held.shader ??= this.unshade.open(held.bytes, held.name));
  }

  /** The fields, also of a file that does not open. */
  tree(file: number): Tree {
    const held = this.find(file);
    return (held.tree ??= this.unshade.annotate(held.bytes));
  }

  /** After a trap: what the instance held is gone, the bytes are here. */
  forget(): void {
    for (const held of this.held.values()) {
      delete held.shader;
      delete held.tree;
    }
  }

  private find(file: number): Held {
    const held = this.held.get(file);
    if (!held) throw new Error(`no file ${file}`);
    return held;
  }
}
