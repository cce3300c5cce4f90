// The page as a static folder. UNSHADE_MODULE: the folder of the module and its WebAssembly, as scripts/web.sh makes it.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";
import { samples } from "./src/shell/samples.ts";

const root = import.meta.dirname;
const checkout = resolve(root, "../..");
const built = resolve(process.env.UNSHADE_MODULE ?? resolve(checkout, "build/web/npm"));
const folders = ["dxbc", "dxil", "pica", "spirv", "vbc"];

function sampleFile(name: string): Buffer {
  for (const folder of folders) {
    try {
      return readFileSync(resolve(checkout, "tests/data", folder, name));
    } catch {
      continue;
    }
  }
  throw new Error(`no sample ${name} in tests/data`);
}

/** The samples of the empty page. */
function samplesPlugin(): Plugin {
  return {
    name: "samples",
    generateBundle() {
      for (const { file } of samples) this.emitFile({ type: "asset", fileName: `samples/${file}`, source: sampleFile(file) });
    },
    configureServer(server) {
      server.middlewares.use("/samples/", (request, response) => {
        response.end(sampleFile(basename(request.url ?? "")));
      });
    },
  };
}

/** The service worker with the list of what the build made. */
function offlinePlugin(): Plugin {
  return {
    name: "offline",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const files = ["./", ...Object.keys(bundle), ...readdirSync(resolve(root, "public"))].sort();
        const digest = createHash("sha256");
        for (const output of Object.values(bundle)) digest.update(output.type === "asset" ? output.source : output.code);
        const text = readFileSync(resolve(root, "service-worker.js"), "utf8")
          .replace("self.__FILES__", JSON.stringify(files))
          .replace("self.__DIGEST__", JSON.stringify(digest.digest("hex").slice(0, 16)));
        this.emitFile({ type: "asset", fileName: "service-worker.js", source: text });
      },
    },
  };
}

export default defineConfig({
  root,
  base: "./",
  plugins: [svelte(), samplesPlugin(), offlinePlugin()],
  resolve: {
    alias: [{ find: /^unshade$/, replacement: resolve(built, "unshade.js") }],
  },
  worker: { format: "es" },
  build: { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false }, outDir: resolve(checkout, "build/page"), emptyOutDir: true },
  server: { fs: { allow: [checkout, built] } },
});
