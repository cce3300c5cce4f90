// One state of a file: its bytes, and all that is known of them. An edit makes a new one.
import type { Family } from "unshade";
import { EngineError, type Engine } from "../engine/engine";
import type { Answer, Arguments } from "../engine/verbs";
import { FileBytes } from "./bytes.svelte";
import { Decompiled, type Language } from "./decompiled";
import { Lazy } from "./lazy.svelte";
import { searchOf, type ShaderSearch } from "./search";
import { Listing } from "./listing";
import { Stepper } from "./stepper.svelte";
import { FieldTree } from "./tree";
import { FieldValues } from "./values.svelte";

let made = 0;

export class Content {
  readonly id = made++;
  readonly bytes: FileBytes;
  readonly values: FieldValues;
  readonly family: Lazy<Family>;
  readonly tree: Lazy<FieldTree>;
  readonly listing: Lazy<Listing>;
  readonly exactListing: Lazy<Listing>;
  readonly info;
  readonly identities;
  readonly findings;
  readonly reflection;
  readonly hlsl;
  readonly sources;
  readonly decompiled: Readonly<Record<Language, Lazy<Decompiled>>>;
  readonly graph;
  readonly stepper: Stepper;
  private searched: ShaderSearch | undefined;

  constructor(
    readonly engine: Engine,
    readonly name: string,
    source: Uint8Array | Blob,
  ) {
    const file = this.id;
    this.bytes = new FileBytes(source);
    this.values = new FieldValues(engine, file);
    this.stepper = new Stepper(engine, file);
    const whole = this.bytes.whole;
    this.family = new Lazy(async () => (whole ? engine.add(file, name, whole) : "unknown"));
    this.tree = this.ask("tree", (data) => new FieldTree(data));
    this.listing = this.ask("listing", (data) => new Listing(data));
    this.exactListing = new Lazy(async () => {
      void this.family.load();
      return new Listing(await engine.call("listing", { file, exact: true }));
    });
    this.info = this.ask("info", (info) => info);
    this.identities = this.ask("identities", (identities) => identities);
    this.findings = this.ask("findings", (findings) => findings);
    this.reflection = this.ask("reflection", (reflection) => reflection);
    this.hlsl = this.ask("hlsl", (text) => text);
    this.sources = this.ask("sources", (sources) => sources);
    const written = (language: Language) =>
      new Lazy(async () => {
        void this.family.load();
        return new Decompiled(await (language === "spirv" ? engine.call("translate", { file }) : engine.call("decompile", { file, language })));
      });
    this.decompiled = { hlsl: written("hlsl"), glsl: written("glsl"), spirv: written("spirv") };
    this.graph = new Lazy(async () => {
      void this.family.load();
      return engine.call("graph", { file });
    });
  }

  /** For shaders inside it. */
  get search(): ShaderSearch {
    return (this.searched ??= searchOf(this));
  }
  stopSearch(): void {
    this.searched?.stop();
  }

  get isLarge(): boolean {
    return this.bytes.whole === null;
  }

  private ask<V extends "tree" | "listing" | "info" | "identities" | "findings" | "reflection" | "hlsl" | "sources", T>(
    verb: V,
    make: (answer: Awaited<Answer<V>>) => T,
  ): Lazy<T> {
    return new Lazy(async () => {
      if (this.isLarge) throw new EngineError({ code: "limit", message: "a file of more than 64 MiB is not read as one shader", offset: 0, path: "", file: this.name });
      void this.family.load(); // which gives the worker the file; it does one thing after the other
      return make(await this.engine.call(verb, { file: this.id } as Arguments<V>));
    });
  }
}
