// Values of fields as text, asked for in batches.
import { SvelteMap } from "svelte/reactivity";
import type { Detail } from "unshade";
import type { Engine } from "../engine/engine";

export class FieldValues {
  private readonly texts = new SvelteMap<number, string>();
  private readonly parts = new SvelteMap<number, readonly Detail[]>();
  private readonly asked = new Set<number>();
  private readonly askedDetails = new Set<number>();
  private batch: number[] = [];

  constructor(
    private readonly engine: Engine,
    private readonly file: number,
  ) {}

  /** "" until it is there. */
  text(field: number): string {
    const text = this.texts.get(field);
    if (text === undefined && !this.asked.has(field)) {
      this.asked.add(field);
      if (this.batch.push(field) === 1) queueMicrotask(() => void this.send());
    }
    return text ?? "";
  }

  /** The bits, flags or enumerators of a value; none until they are there. */
  details(field: number): readonly Detail[] {
    if (!this.askedDetails.has(field)) {
      this.askedDetails.add(field);
      void this.engine.call("details", { file: this.file, field }).then(
        (details) => this.parts.set(field, details),
        () => {},
      );
    }
    return this.parts.get(field) ?? [];
  }

  private async send(): Promise<void> {
    const fields = this.batch;
    this.batch = [];
    const texts = await this.engine.call("values", { file: this.file, fields }).catch(() => []);
    texts.forEach((text, i) => this.texts.set(fields[i]!, text));
  }
}
