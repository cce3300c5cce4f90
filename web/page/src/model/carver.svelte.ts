// Looks for shaders inside a file as it is, piece by piece, so that any size will do.
import type { Hit } from "unshade";
import type { UnpackFault } from "unshade/files";
import type { Content } from "./content.svelte";
import type { Found, SearchState, ShaderSearch } from "./search";

const kPiece = 16 << 20;
/** Of what reaches beyond a piece: bytes that are read at first, and at most. */
const kFirstLook = 1 << 20;
const kLargestShader = 64 << 20;

export class Carver implements ShaderSearch {
  state = $state<SearchState>("waiting");
  found = $state.raw<readonly Found[]>([]);
  error = $state.raw<Error | null>(null);
  progress = $state(0);
  readonly faults: readonly UnpackFault[] = [];
  private last: Hit | null = null;

  constructor(private readonly content: Content) {}

  start(): void {
    if (this.state === "searching" || this.state === "done") return;
    this.state = "searching";
    this.found = [];
    this.last = null;
    this.run().catch((error: Error) => {
      this.error = error;
      this.state = "failed";
    });
  }

  stop(): void {
    if (this.state === "searching") this.state = "stopped";
  }

  private async run(): Promise<void> {
    const size = this.content.bytes.size;
    for (let offset = 0; offset < size; offset += kPiece) {
      const starts = Math.min(kPiece, size - offset);
      for (const hit of await this.look(offset, starts, starts)) {
        if (this.state !== "searching") return;
        await this.take(hit);
      }
      if (this.state !== "searching") return;
      this.progress = (offset + starts) / size;
    }
    this.state = "done";
  }

  private async take(hit: Hit): Promise<void> {
    // What lies in a shader that was found is a part of it.
    if (this.last && hit.offset < this.last.offset + this.last.size) return;
    if (hit.certainty !== "unfinished") {
      if (hit.parent === null) this.keep(hit);
      return;
    }
    for (let wanted = hit.size || kFirstLook; wanted <= kLargestShader && this.state === "searching"; wanted *= 2) {
      const [whole] = await this.look(hit.offset, wanted, 1);
      if (whole === undefined) return;
      if (whole.certainty !== "unfinished") return this.take(whole);
      wanted = Math.max(wanted, whole.size / 2);
    }
  }

  private keep(hit: Hit): void {
    const { offset, size, family, certainty } = hit;
    const read = async () => (await this.content.bytes.read(offset, size)).slice();
    this.last = hit;
    this.found = [...this.found, { name: `0x${offset.toString(16)}`, offset, size, family, stage: "", profile: "", certainty, others: [], read }];
  }

  private async look(offset: number, size: number, starts: number): Promise<readonly Hit[]> {
    const { bytes, engine } = this.content;
    const piece = (await bytes.read(offset, size)).slice();
    return engine.call("find", { piece, offset, starts, isLast: offset + piece.length >= bytes.size });
  }
}
