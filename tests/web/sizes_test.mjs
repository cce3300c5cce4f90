// The WebAssembly stays small: docs/internals/web.md has the sizes and what they are made of.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

import { packageFolder } from "./support.mjs";

const mostBrotli = 1_600_000;
const mostScript = 20_000; // gzip, of what a page loads before the WebAssembly

const wasm = readFileSync(join(packageFolder, "unshade.wasm"));
const brotli = brotliCompressSync(wasm, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: wasm.length } }).length;
const scripts = ["unshade.js", "instance.js", "drawing.js"].map((name) => gzipSync(readFileSync(join(packageFolder, name)), { level: 9 }).length);
const script = scripts.reduce((sum, size) => sum + size);
console.log(`unshade.wasm: ${wasm.length} bytes, gzip ${gzipSync(wasm, { level: 9 }).length}, brotli ${brotli} of at most ${mostBrotli}`);
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
process.exit(brotli <= mostBrotli && script <= mostScript && absent.length === 0 && declared.length > 50 ? 0 : 1);
