// A scene: what was drawn of it, what is shown of that, and what became of a pixel.
import type { HeatInfo, History, Target } from "unshade";
import { EngineError, type Engine } from "../engine/engine";
import type { Drawn, Image } from "../engine/verbs";
import { sceneJson } from "./scenetext";

export type Heat = HeatInfo["kind"];
export const heats: readonly Heat[] = ["overdraw", "runs", "instructions", "level", "divergence", "nan"];

/** Files that a scene may name, by their names. */
export type Files = (name: string) => Uint8Array | null;

let made = 0;

export class Scene {
  readonly id = made++;
  /** As it is edited; null: as the file is. */
  draft = $state<string | null>(null);
  isDrawing = $state(false);
  problem = $state("");
  /** Names of files that are not open. */
  missing = $state.raw<readonly string[]>([]);
  drawn = $state.raw<Drawn | null>(null);
  target = $state.raw<Target | null>(null);
  heat = $state<Heat | null>(null);
  image = $state.raw<Image | null>(null);
  pixel = $state.raw<{ x: number; y: number } | null>(null);
  history = $state.raw<History | null>(null);
  frame = $state(0);
  milliseconds = $state(0);
  /** What was drawn, as the library had it. */
  json = "";
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly engine: Engine) {}

  draw(text: string, files: Files): Promise<void> {
    return this.attempt(async () => {
      const from = performance.now();
      this.isDrawing = true;
      this.missing = [];
      this.json = await sceneJson(text);
      const given = new Map<string, Uint8Array>();
      for (;;) {
        const answer = await this.engine.call("draw", {
          scene: this.id,
          text: this.json,
          files: [...given].map(([name, bytes]) => ({ name, bytes })),
          frame: this.frame,
        });
        if (!("missing" in answer)) {
          this.drawn = answer;
          break;
        }
        const absent = answer.missing.filter((name) => given.has(name) || files(name) === null);
        if (absent.length > 0) {
          this.missing = absent;
          this.drawn = this.image = this.history = null;
          return;
        }
        for (const name of answer.missing) given.set(name, files(name)!);
      }
      const { targets } = this.drawn;
      this.target = targets.find(({ name }) => name === this.target?.name) ?? targets.find(({ isShown }) => isShown) ?? targets[0] ?? null;
      await this.loadImage();
      await this.loadHistory();
      this.milliseconds = performance.now() - from;
    });
  }

  /** What is not given stays as what was asked for before left it, which may still be under way. */
  show({ target, heat }: { target?: Target; heat?: Heat | null }): Promise<void> {
    return this.attempt(async () => {
      const isOther = target !== undefined && target.name !== this.target?.name;
      if (target !== undefined) this.target = target;
      if (heat !== undefined) this.heat = heat;
      if (isOther) this.pixel = this.history = null;
      await this.loadImage();
    });
  }

  pick(x: number, y: number): Promise<void> {
    return this.attempt(async () => {
      this.pixel = { x, y };
      await this.loadHistory();
    });
  }

  private async loadImage(): Promise<void> {
    if (!this.target || !this.drawn) return;
    this.image = await this.engine.call("image", { scene: this.id, target: this.target.name, heat: this.heat });
  }

  private async loadHistory(): Promise<void> {
    const { target, pixel } = this;
    if (!target || !pixel || !this.drawn) return;
    this.history = null;
    if (pixel.x >= target.width || pixel.y >= target.height) this.pixel = null;
    else this.history = await this.engine.call("history", { scene: this.id, pixel: { target: target.name, ...pixel } });
  }

  /** One after the other: a pointer picks faster than a scene is drawn. */
  private attempt(body: () => Promise<void>): Promise<void> {
    const done = this.last.then(async () => {
      this.problem = "";
      try {
        await body();
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        // Offsets are those of JSON, which nobody has seen: the path tells.
        this.problem = error instanceof EngineError && error.code !== "trap" ? [error.path, error.message].filter(Boolean).join(": ") : error.message;
      } finally {
        this.isDrawing = false;
      }
    });
    this.last = done.catch(() => {});
    return done;
  }
}
