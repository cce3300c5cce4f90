// The bytes of a file: all of them, or of a large one the windows that were looked at.
import { SvelteMap } from "svelte/reactivity";

const kWindow = 1 << 16;
const kWindowsKept = 64;
/** Files above this are never read whole. */
export const kLargest = 64 << 20;

export class FileBytes {
  readonly size: number;
  readonly whole: Uint8Array | null;
  private readonly blob: Blob | null;
  private readonly windows = new SvelteMap<number, Uint8Array>();
  private readonly asked = new Set<number>();

  constructor(source: Uint8Array | Blob) {
    this.whole = source instanceof Uint8Array ? source : null;
    this.blob = source instanceof Uint8Array ? null : source;
    this.size = source instanceof Uint8Array ? source.length : source.size;
  }

  /** A byte; undefined while its window is read, and behind the end. */
  at(offset: number): number | undefined {
    if (this.whole) return this.whole[offset];
    if (offset >= this.size) return undefined;
    const window = this.windows.get(Math.floor(offset / kWindow));
    if (!window) this.ask(Math.floor(offset / kWindow));
    return window?.[offset % kWindow];
  }

  async read(offset: number, size: number): Promise<Uint8Array> {
    if (this.whole) return this.whole.subarray(offset, offset + size);
    return new Uint8Array(await this.blob!.slice(offset, offset + size).arrayBuffer());
  }

  toBlob(): Blob {
    return this.blob ?? new Blob([this.whole as Uint8Array<ArrayBuffer>]);
  }

  private ask(window: number): void {
    if (this.asked.has(window)) return;
    this.asked.add(window);
    void this.read(window * kWindow, kWindow).then((bytes) => {
      this.windows.set(window, bytes);
      for (const old of this.windows.keys()) {
        if (this.windows.size <= kWindowsKept) break;
        this.windows.delete(old);
        this.asked.delete(old);
      }
    });
  }
}
