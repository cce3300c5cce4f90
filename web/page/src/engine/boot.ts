// Gives a worker the library, once it is compiled.
import type { Boot } from "./worker";

export function boot(worker: Worker, compiled: Promise<WebAssembly.Module>): void {
  compiled.then(
    (module) => worker.postMessage({ module } satisfies Boot),
    (error: unknown) => worker.postMessage({ failure: error instanceof Error ? error.message : String(error) } satisfies Boot),
  );
}
