#!/usr/bin/env node
// How fast the WebAssembly is in Node: bench/web.mjs [FOLDER]
// Times are of the processor, so that other programs count for little. FOLDER: of shaders; without, UNSHADE_CORPUS, else the samples.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const built = process.env.UNSHADE_PACKAGE ?? join(root, "build/web/npm");
const folder = process.argv[2] ?? process.env.UNSHADE_CORPUS ?? join(root, "tests/data");
const mostFiles = 400; // of a family

/** Milliseconds of the processor. */
async function timed(work) {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const { load } = await import(pathToFileURL(join(built, "unshade.js")));
let unshade;
console.log(`load: ${(await timed(async () => (unshade = await load()))).toFixed(0)} ms`);

const families = new Map();
for (const name of readdirSync(folder, { recursive: true }).sort()) {
  const path = join(folder, name);
  if (!statSync(path).isFile()) continue;
  const bytes = new Uint8Array(readFileSync(path));
  const family = unshade.identify(bytes);
  if (!families.has(family)) families.set(family, []);
  if (family !== "unknown" && families.get(family).length < mostFiles) families.get(family).push(bytes);
}
families.delete("unknown");

/** Does `work` with each file that it takes; bytes of those. */
function each(files, work) {
  let size = 0;
  for (const bytes of files) {
    try {
      const shader = unshade.open(bytes);
      work(shader);
      shader.free();
      size += bytes.length;
    } catch (error) {
      if (error.code === undefined) throw error;
    }
  }
  return size;
}

for (const [family, files] of families) {
  for (const [what, work] of [
    ["listing", (shader) => shader.disassembleToBytes()],
    ["fields", (shader) => shader.tree.count],
  ]) {
    let size = 0;
    const first = await timed(() => (size = each(files, work)));
    const again = await timed(() => each(files, work));
    const rate = (milliseconds) => `${(size / 1000 / milliseconds).toFixed(1)} MB/s`;
    console.log(`${family}, ${what}: ${rate(again)} (the first time ${rate(first)}), ${files.length} files of ${size} bytes`);
  }
}

const program = unshade.open(new Uint8Array(readFileSync(join(root, "tests/data/dxil/bitonic_cs_6_0.dxil")))).program();
const input = { grid: [20000, 1, 1] };
program.runCase(input);
console.log(`run bitonic_cs_6_0 over 20,000 groups: ${(await timed(() => program.runCase(input))).toFixed(0)} ms`);
