// The page's side of the worker: promises, and a new worker where the old one is lost.
import type { Answer, Arguments, Verb } from "./verbs";
import { startWorker } from "./start";
import type { Fault, Reply, Request } from "./worker";

/** An error of the library. */
export class EngineError extends Error {
  readonly code: string;
  readonly offset: number;
  readonly path: string;
  readonly file: string;

  constructor(fault: Fault) {
    super(fault.message);
    this.code = fault.code;
    this.offset = fault.offset;
    this.path = fault.path;
    this.file = fault.file;
  }

  /** One line for people. */
  get line(): string {
    if (this.code === "trap") return `The reader stopped at ${this.file || "this file"}: a fault of unshade, not of the page. ${this.message}`;
    const place = this.path ? `${this.path}, offset 0x${this.offset.toString(16)}: ` : "";
    return place + this.message;
  }
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
  file: string;
}

/** Milliseconds after which a request is given up and its worker replaced. */
const kPatience = 60_000;

export class Engine {
  private worker = this.start();
  private next = 0;
  private readonly waiting = new Map<number, Waiting>();
  /** What the worker has to know again after it was replaced. */
  private readonly files = new Map<number, { name: string; bytes: Uint8Array }>();

  call<V extends Verb>(verb: V, args: Arguments<V>): Promise<Awaited<Answer<V>>> {
    const file = "file" in args ? (this.files.get(args.file as number)?.name ?? "") : "";
    return new Promise((resolve, reject) => {
      const id = this.next++;
      const timer = setTimeout(() => this.replace(`no answer to ${verb} in ${kPatience / 1000} s`), kPatience);
      const done = <T>(then: (value: T) => void) => (value: T) => (clearTimeout(timer), then(value));
      this.waiting.set(id, { resolve: done(resolve as (value: unknown) => void), reject: done(reject), file });
      this.worker.postMessage({ id, verb, args } satisfies Request);
    });
  }

  add(file: number, name: string, bytes: Uint8Array): Promise<Awaited<Answer<"add">>> {
    this.files.set(file, { name, bytes });
    return this.call("add", { file, name, bytes });
  }

  drop(file: number): void {
    if (this.files.delete(file)) void this.call("drop", { file }).catch(() => {});
  }

  /** Ends what runs: a shader that does not. */
  stop(): void {
    this.replace("stopped");
  }

  private start(): Worker {
    const worker = startWorker();
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      const waiting = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if ("fault" in data) waiting?.reject(new EngineError(data.fault));
      else waiting?.resolve(data.value);
    };
    worker.onerror = (event) => this.replace(event.message || "the worker could not be loaded");
    return worker;
  }

  private replace(message: string): void {
    this.worker.terminate();
    const lost = [...this.waiting.values()];
    this.waiting.clear();
    this.worker = this.start();
    for (const [file, { name, bytes }] of this.files) void this.call("add", { file, name, bytes }).catch(() => {});
    for (const { reject, file } of lost) reject(new EngineError({ code: "stopped", message, offset: 0, path: "", file }));
  }
}
