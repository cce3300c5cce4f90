// The runs of a file: its case, what a run gave, and one that was recorded and is stepped through.
import { SvelteMap, SvelteSet } from "svelte/reactivity";
import type { Run, Session } from "unshade";
import { EngineError } from "../engine/engine";
import type { Engine } from "../engine/engine";
import type { Move } from "../engine/verbs";

export class Stepper {
  /** The case as it was typed; null: that which reflection suggests. */
  draft = $state<string | null>(null);
  result = $state.raw<Run | undefined>();
  error = $state.raw<EngineError | undefined>();
  isRunning = $state(false);
  milliseconds = $state(0);
  /** Where the recorded run is; null: none is. */
  state = $state.raw<Session | null>(null);
  /** The recorded run is that of a pixel, in a drawing of this name; "": of the case. */
  drawing = $state("");
  /** Of the last move that did not come where it was to. */
  note = $state("");
  /** That moves follow, as it was chosen last; null: none. */
  lane = $state<number | null>(null);
  /** Lanes of the wave, as far as they have shown themselves. */
  lanes = $state(0);
  /** Lines of the listing, from 1. */
  readonly breakpoints = new SvelteSet<number>();
  /** Where breakpoints stop, by the last recorded run: at another line, if the line is not executable; null: nowhere. */
  readonly stops = new SvelteMap<number, number | null>();

  /** What was asked for last: keys are pressed faster than runs end. */
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly engine: Engine,
    private readonly file: number,
  ) {}

  toggle(line: number): void {
    if (this.breakpoints.delete(line)) return;
    this.breakpoints.add(line);
    void this.after(() => this.place());
  }

  /** Where breakpoints at these lines stop, without those that do nowhere. Of the recorded run. */
  async stopsOf(lines: readonly number[]): Promise<number[]> {
    const stops = await this.engine.call("stopLines", { file: this.file, lines });
    return stops.filter((stop) => stop !== null);
  }

  /** Asks where breakpoints stop. */
  private async place(): Promise<void> {
    if (this.state === null) return;
    const lines = [...this.breakpoints];
    const stops = await this.engine.call("stopLines", { file: this.file, lines });
    this.stops.clear();
    lines.forEach((line, at) => this.stops.set(line, stops[at] ?? null));
  }

  /** Does something after all that was asked for before. */
  after(body: () => Promise<void>): Promise<void> {
    const done = this.last.then(body);
    this.last = done.catch(() => {});
    return done;
  }

  async run(input: string): Promise<void> {
    await this.end();
    await this.attempt(async () => {
      this.result = await this.engine.call("run", { file: this.file, input });
    });
  }

  /** A run that the worker has already, of a drawing. */
  adopt(state: Session, drawing: string): void {
    this.drawing = drawing;
    this.arrive(state);
    void this.after(() => this.place());
  }

  /** Begins at the first step. */
  async record(input: string): Promise<void> {
    this.drawing = "";
    this.lanes = 0;
    this.note = "";
    await this.attempt(async () => {
      const { result, state } = await this.engine.call("record", { file: this.file, input });
      this.result = result;
      this.arrive(state);
      await this.place();
    });
  }

  /** `missed`: what to say if it does not come where it is to. */
  async move(move: Move, missed = ""): Promise<void> {
    try {
      const { reached, state } = await this.engine.call("move", { file: this.file, move });
      if ("follow" in move) this.lanes = 0;
      this.note = reached ? "" : missed;
      this.arrive(state);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.state = null;
      this.error = error;
    }
  }

  async end(): Promise<void> {
    this.drawing = "";
    if (this.state === null) return;
    this.state = null;
    await this.engine.call("endSession", { file: this.file }).catch(() => {});
  }

  private arrive(state: Session): void {
    this.lanes = Math.max(this.lanes, 1 + (state.next?.active.at(-1) ?? -1), state.registers[0]?.lanes.length ?? 0);
    this.lane = state.lane;
    this.state = state;
  }

  private async attempt(body: () => Promise<void>): Promise<void> {
    this.isRunning = true;
    this.error = undefined;
    const from = performance.now();
    try {
      await body();
    } catch (fault) {
      this.result = undefined;
      this.state = null;
      if (!(fault instanceof EngineError)) throw fault;
      this.error = fault;
    } finally {
      this.milliseconds = performance.now() - from;
      this.isRunning = false;
    }
  }
}
