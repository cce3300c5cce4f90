// Looks for shaders inside a file and in what is packed in it, by the library's second module.
import type { Layer, UnpackFault } from "unshade/files";
import type { Unpacked } from "../engine/unpack_worker";
import { unpack, type UnpackAnswer, type Unpacking } from "../engine/unpacker";
import { EngineError } from "../engine/engine";
import type { Content } from "./content.svelte";
import type { Found, SearchState, ShaderSearch } from "./search";

const hex = (offset: number) => `0x${offset.toString(16).padStart(8, "0")}`;

function layerName({ form, member, offset }: Layer): string {
  return member ?? (offset === null ? `(${form})` : `(${form}@${hex(offset)})`);
}

function nameOf({ layers, offset }: Unpacked): string {
  if (layers.length === 0) return `0x${offset.toString(16)}`;
  return layers.map(layerName).join("!") + (offset === 0 ? "" : `:${hex(offset)}`);
}

export class Unpacker implements ShaderSearch {
  state = $state<SearchState>("waiting");
  found = $state.raw<readonly Found[]>([]);
  faults = $state.raw<readonly UnpackFault[]>([]);
  error = $state.raw<Error | null>(null);
  progress = $state(0);
  private unpacking: Unpacking | null = null;

  constructor(private readonly content: Content) {}

  start(): void {
    if (this.state === "loading" || this.state === "searching" || this.state === "done") return;
    this.state = "loading";
    this.progress = 0;
    this.error = null;
    const { bytes } = this.content;
    this.unpacking = unpack(bytes.toBlob(), (reply) => {
      if ("loaded" in reply) this.state = "searching";
      // What is read twice does not count.
      else this.progress = Math.min(0.99, reply.read / Math.max(1, bytes.size));
    });
    this.unpacking.answer.then(
      (answer) => this.take(answer),
      (error: Error) => {
        const isStopped = error instanceof EngineError && error.code === "stopped";
        this.state = isStopped ? "stopped" : "failed";
        if (!isStopped) this.error = error instanceof EngineError ? new EngineError({ ...error, message: error.message, file: this.content.name }) : error;
      },
    );
  }

  stop(): void {
    this.unpacking?.stop();
    this.unpacking = null;
  }

  private take({ shaders, bytes, faults }: UnpackAnswer): void {
    const places = new Map<number, Unpacked[]>();
    for (const shader of shaders) {
      const same = places.get(shader.at);
      if (same) same.push(shader);
      else places.set(shader.at, [shader]);
    }
    this.found = [...places.values()].map(([first, ...others]) => {
      const { at, size, family, stage, profile, certainty, layers, offset } = first!;
      return {
        name: nameOf(first!),
        offset: layers.length === 0 ? offset : null,
        size,
        family,
        stage,
        profile,
        certainty,
        others: others.map(nameOf),
        read: async () => new Uint8Array(await bytes.slice(at, at + size).arrayBuffer()),
      };
    });
    this.faults = faults;
    this.progress = 1;
    this.state = "done";
  }
}
