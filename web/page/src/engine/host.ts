// The files that the worker knows, and what was made of each.
import type { Shader, Stepper, Tree, Unshade } from "unshade";

interface Held {
  name: string;
  bytes: Uint8Array;
  shader?: Shader;
  tree?: Tree;
  session?: Stepper;
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
    held?.session?.free();
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

  session(file: number): Stepper {
    const { session, name } = this.find(file);
    if (!session) throw Object.assign(new Error("this run is not recorded any more: begin again"), { code: "missing", file: name });
    return session;
  }

  /** Keeps a recorded run in place of the one before. */
  keep(file: number, session: Stepper | null): void {
    const held = this.find(file);
    held.session?.free();
    delete held.session;
    if (session) held.session = session;
  }

  /** After a trap: what the instance held is gone, the bytes are here. */
  forget(): void {
    for (const held of this.held.values()) {
      delete held.shader;
      delete held.tree;
      delete held.session;
    }
  }

  private find(file: number): Held {
    const held = this.held.get(file);
    if (!held) throw new Error(`no file ${file}`);
    return held;
  }
}
