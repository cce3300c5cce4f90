// Looks for shaders inside a file, piece by piece, so that any size will do.
import type { Hit } from "unshade";
import type { Content } from "./content.svelte";

const kPiece = 16 << 20;
/** Of what reaches beyond a piece: bytes that are read at first, and at most. */
const kFirstLook = 1 << 20;
const kLargestShader = 64 << 20;

export class Carver {
  hits = $state.raw<readonly Hit[]>([]);
  /** Bytes that were searched. */
  searched = $state(0);
  isDone = $state(false);
  private isStopped = false;

  constructor(private readonly content: Content) {}

  stop(): void {
    this.isStopped = true;
  }

  async run(): Promise<void> {
    const size = this.content.bytes.size;
    for (let offset = 0; offset < size && !this.isStopped; offset += kPiece) {
      const starts = Math.min(kPiece, size - offset);
      for (const hit of await this.look(offset, starts, starts)) await this.take(hit);
      this.searched = offset + starts;
    }
    this.isDone = !this.isStopped;
  }

  private async take(hit: Hit): Promise<void> {
    const last = this.hits.at(-1);
    // What lies in a shader that was found is a part of it.
    if (last && hit.offset < last.offset + last.size) return;
    if (hit.certainty !== "unfinished") {
      if (hit.parent === null) this.hits = [...this.hits, hit];
      return;
    }
    for (let wanted = hit.size || kFirstLook; wanted <= kLargestShader && !this.isStopped; wanted *= 2) {
      const [whole] = await this.look(hit.offset, wanted, 1);
      if (whole === undefined) return;
      if (whole.certainty !== "unfinished") return this.take(whole);
      wanted = Math.max(wanted, whole.size / 2);
    }
  }

  private async look(offset: number, size: number, starts: number): Promise<readonly Hit[]> {
    const { bytes, engine } = this.content;
    const piece = (await bytes.read(offset, size)).slice();
    return engine.call("find", { piece, offset, starts, isLast: offset + piece.length >= bytes.size });
  }
}
