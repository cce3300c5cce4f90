// Begins the worker, and compiles the library for it: at once, while the rest of the page is loaded.
import address from "unshade/unshade.wasm?url";
import { boot } from "./boot";

async function compile(): Promise<WebAssembly.Module> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${answer.statusText}`);
  // A server that does not know .wasm sends another type, which compileStreaming() refuses.
  if (answer.headers.get("content-type")?.startsWith("application/wasm")) return WebAssembly.compileStreaming(answer);
  return WebAssembly.compile(await answer.arrayBuffer());
}

const compiled = compile();

export function startWorker(): Worker {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  boot(worker, compiled);
  return worker;
}
