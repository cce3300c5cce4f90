// The WebAssembly stays small: docs/internals/web.md has the sizes and what they are made of.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

import { packageFolder } from "./support.mjs";

const mostBrotli = { "unshade.wasm": 1_700_000, "unshade-files.wasm": 1_400_000 };
const mostScript = 20_000; // gzip, of what a page loads before the WebAssembly

let isSmall = true;
for (const [name, most] of Object.entries(mostBrotli)) {
  const module = readFileSync(join(packageFolder, name));
  const brotli = brotliCompressSync(module, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: module.length } }).length;
  console.log(`${name}: ${module.length} bytes, gzip ${gzipSync(module, { level: 9 }).length}, brotli ${brotli} of at most ${most}`);
  isSmall = isSmall && brotli <= most;
}
const wasm = readFileSync(join(packageFolder, "unshade.wasm"));
const scripts = ["unshade.js", "instance.js", "drawing.js"].map((name) => gzipSync(readFileSync(join(packageFolder, name)), { level: 9 }).length);
const script = scripts.reduce((sum, size) => sum + size);
console.log(`unshade.js, instance.js and drawing.js: gzip ${script} of at most ${mostScript}`);
console.log(`json.d.ts: ${statSync(join(packageFolder, "json.d.ts")).size} bytes`);

const { imports, exports } = {
  imports: WebAssembly.Module.imports(new WebAssembly.Module(wasm)),
  exports: WebAssembly.Module.exports(new WebAssembly.Module(wasm)),
};
console.log(`imports: ${imports.map(({ name }) => name).join(" ") || "none"}; ${exports.length} exports`);
const header = readFileSync("include/unshade/unshade.h", "utf8");
const declared = [...header.matchAll(/^UNSHADE_API .*?[ *](unshade_[a-z0-9_]+)\(/gm)].map(([, name]) => name);
const exported = new Set(exports.map(({ name }) => name));
const absent = declared.filter((name) => !exported.has(name));
if (absent.length > 0) console.log(`not exported: ${absent.join(" ")}`);
process.exit(isSmall && script <= mostScript && absent.length === 0 && declared.length > 50 ? 0 : 1);
