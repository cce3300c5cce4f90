// The files that the worker knows, and what was made of each.
import type { Drawing, Findings, LoadedScene, Shader, Stepper, Tree, Unshade } from "unshade";

interface Held {
  name: string;
  bytes: Uint8Array;
  shader?: Shader;
  /** Whether it was found not to open. */
  broken?: boolean;
  tree?: Tree;
  session?: Stepper;
}

interface Drawn {
  scene: LoadedScene;
  drawing?: Drawing;
}

export class Host {
  private readonly held = new Map<number, Held>();
  private readonly scenes = new Map<number, Drawn>();
  /** That of a pixel, until the page has made a file of its shader. */
  private pixelSession: Stepper | null = null;

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

  name(file: number): string {
    return this.held.get(file)?.name ?? "";
  }

  shader(file: number): Shader {
    const held = this.find(file);
    return (held.shader ??= this.unshade.open(held.bytes, held.name));
  }

  /** The shader, or null of a file that does not open. */
  opened(file: number): Shader | null {
    const held = this.find(file);
    if (held.broken) return null;
    try {
      return this.shader(file);
    } catch (error) {
      // what was made of other files is gone with the instance
      if ((error as { code?: string }).code === "trap") this.forget();
      held.broken = true;
      return null;
    }
  }

  /** The fields, also of a file that does not open. */
  tree(file: number): Tree {
    const held = this.find(file);
    return this.opened(file)?.tree ?? (held.tree ??= this.unshade.annotate(held.bytes));
  }

  findings(file: number): Findings {
    const { bytes, name } = this.find(file);
    return this.opened(file)?.findings() ?? this.unshade.validate(bytes, name);
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

  /** Keeps a scene in place of the one before. */
  keepScene(id: number, scene: LoadedScene | null, drawing?: Drawing): void {
    const old = this.scenes.get(id);
    if (old && old.drawing !== drawing) old.drawing?.free();
    if (old && old.scene !== scene) old.scene.free();
    this.scenes.delete(id);
    if (scene) this.scenes.set(id, drawing ? { scene, drawing } : { scene });
  }

  drawing(id: number): Drawing {
    const drawing = this.scenes.get(id)?.drawing;
    if (!drawing) throw Object.assign(new Error("this picture is not held any more: draw again"), { code: "missing" });
    return drawing;
  }

  keepPixel(session: Stepper): void {
    this.pixelSession?.free();
    this.pixelSession = session;
  }
  /** The file is the one whose shader ran for the pixel. */
  adoptPixel(file: number): void {
    const session = this.pixelSession;
    this.pixelSession = null;
    this.keep(file, session);
  }

  /** After a trap: what the instance held is gone, the bytes are here. */
  forget(): void {
    this.scenes.clear();
    this.pixelSession = null;
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
