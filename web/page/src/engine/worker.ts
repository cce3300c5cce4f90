// The worker that has the library. A fault of it reaches the page as an error that names the file.
import { load } from "unshade";
import { Host } from "./host";
import { verbs, type Verb } from "./verbs";

export interface Request {
  id: number;
  verb: Verb;
  args: object;
}

/** An error as data; what the library throws has all of it. */
export interface Fault {
  code: string;
  message: string;
  offset: number;
  path: string;
  file: string;
}

/** The first message: the library, or why there is none. */
export type Boot = { module: WebAssembly.Module } | { failure: string };

export type Reply = { id: number; value: unknown } | { id: number; fault: Fault };

let boot!: (boot: Boot) => void;
const host = new Promise<Boot>((resolve) => (boot = resolve)).then(async (boot) => {
  if ("failure" in boot) throw new Error(boot.failure);
  return new Host(await load(boot.module));
});
host.catch(() => {}); // each request tells it

function fault(error: unknown, file: string): Fault {
  const e = error as Partial<Fault>;
  return {
    code: e.code ?? "internal",
    message: e.message ?? String(error),
    offset: e.offset ?? 0,
    path: e.path ?? "",
    file: e.file || file,
  };
}

/** The buffers of an answer, which are given away instead of copied. */
function buffers(value: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) return [value.buffer as ArrayBuffer];
  if (value === null || typeof value !== "object") return [];
  return Object.values(value).flatMap((item) => (ArrayBuffer.isView(item) ? [item.buffer as ArrayBuffer] : []));
}

self.onmessage = async ({ data }: MessageEvent<Boot | Request>) => {
  if (!("id" in data)) return boot(data);
  const { id, verb, args } = data;
  let name = "";
  try {
    const held = await host;
    if ("file" in args) name = held.name(args.file as number);
    const run = verbs[verb] as (host: Host, args: object) => unknown;
    try {
      const value = run(held, args);
      self.postMessage({ id, value } satisfies Reply, { transfer: buffers(value) });
    } catch (error) {
      if ((error as Fault).code === "trap") held.forget();
      throw error;
    }
  } catch (error) {
    self.postMessage({ id, fault: fault(error, name) } satisfies Reply);
  }
};
