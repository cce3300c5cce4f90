#!/usr/bin/env node
// Builds the extension into web/vscode/dist, of the page that scripts/explore.sh built: build.mjs PAGE
// To install it, link or copy web/vscode to ~/.vscode/extensions/unshade.
import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const root = import.meta.dirname;
const page = resolve(process.argv[2] ?? join(root, "../../build/page"));
const { build } = await import(createRequire(resolve(root, "../page/package.json")).resolve("vite"));

await build({
  root,
  configFile: false,
  logLevel: "warn",
  build: {
    target: "es2022",
    outDir: resolve(root, "dist"),
    emptyOutDir: true,
    lib: { entry: resolve(root, "src/extension.ts"), formats: ["cjs"], fileName: () => "extension.js" },
    rolldownOptions: { external: ["vscode"] },
  },
});
const assets = readdirSync(join(page, "assets"));
mkdirSync(join(root, "dist"), { recursive: true });
copyFileSync(join(page, "single.html"), join(root, "dist/single.html"));
copyFileSync(join(page, "assets", assets.find((name) => name.endsWith(".wasm"))), join(root, "dist/unshade.wasm"));
