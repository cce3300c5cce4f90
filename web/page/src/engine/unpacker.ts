// The page's side of the worker that opens archives. It is begun for one file and ended with its answer, which gives its memory back.
import { EngineError } from "./engine";
import type { UnpackReply } from "./unpack_worker";

export const canUnpack = true;

export type UnpackAnswer = Extract<UnpackReply, { shaders: unknown }>;

export interface Unpacking {
  answer: Promise<UnpackAnswer>;
  stop(): void;
}

const failure = (code: string, message: string) => new EngineError({ code, message, offset: 0, path: "", file: "" });

export function unpack(file: Blob, onreply: (reply: Exclude<UnpackReply, UnpackAnswer | { fault: unknown }>) => void): Unpacking {
  const worker = new Worker(new URL("./unpack_worker.ts", import.meta.url), { type: "module" });
  let stop!: () => void;
  const answer = new Promise<UnpackAnswer>((resolve, reject) => {
    stop = () => reject(failure("stopped", "stopped"));
    worker.onmessage = ({ data }: MessageEvent<UnpackReply>) => {
      if ("shaders" in data) resolve(data);
      else if ("fault" in data) reject(new EngineError(data.fault));
      else onreply(data);
    };
    worker.onerror = (event) => reject(failure("internal", event.message || "what opens archives could not be loaded"));
    worker.postMessage(file);
  }).finally(() => worker.terminate());
  return { answer, stop };
}
