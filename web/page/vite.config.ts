// The page as a static folder. UNSHADE_MODULE: the folder of the module and its WebAssembly, as scripts/web.sh makes it.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { build, defineConfig, type InlineConfig, type Plugin, type Rollup } from "vite";
import { samples } from "./src/shell/samples.ts";

const root = import.meta.dirname;
const checkout = resolve(root, "../..");
const built = resolve(process.env.UNSHADE_MODULE ?? resolve(checkout, "build/web/npm"));
const folders = [...["dxbc", "dxil", "pica", "spirv", "vbc"].map((family) => `tests/data/${family}`), "examples/scenes"];

function sampleFile(name: string): Buffer {
  for (const folder of folders) {
    try {
      return readFileSync(resolve(checkout, folder, name));
    } catch {
      continue;
    }
  }
  throw new Error(`no sample ${name} in ${folders.join(", ")}`);
}

/** The samples of the empty page. */
function samplesPlugin(): Plugin {
  return {
    name: "samples",
    generateBundle() {
      for (const name of samples.flatMap(({ file, with: others = [] }) => [file, ...others]))
        this.emitFile({ type: "asset", fileName: `samples/${name}`, source: sampleFile(name) });
    },
    configureServer(server) {
      server.middlewares.use("/samples/", (request, response) => {
        response.end(sampleFile(basename(request.url ?? "")));
      });
    },
  };
}

/** The licences of what unshade-files.wasm is made of, which whoever has it must have. */
function licensesPlugin(): Plugin {
  const name = "LICENSE-files";
  return {
    name: "licenses",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: name, source: readFileSync(resolve(built, name)) });
    },
  };
}

/** What the page loads only for what needs it: the library's second module. */
const isLoadedLater = (name: string): boolean => basename(name).startsWith("unshade-files");

/** The service worker with the list of what the build made. */
function offlinePlugin(): Plugin {
  return {
    name: "offline",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const [later, now] = [true, false].map((isLater) => Object.keys(bundle).filter((name) => isLoadedLater(name) === isLater));
        const files = ["./", ...now!, ...readdirSync(resolve(root, "public"))].sort();
        const digest = createHash("sha256");
        for (const output of Object.values(bundle)) digest.update(output.type === "asset" ? output.source : output.code);
        const text = readFileSync(resolve(root, "service-worker.js"), "utf8")
          .replace("self.__FILES__", JSON.stringify(files))
          .replace("self.__LATER__", JSON.stringify(later))
          .replace("self.__DIGEST__", JSON.stringify(digest.digest("hex").slice(0, 16)));
        this.emitFile({ type: "asset", fileName: "service-worker.js", source: text });
      },
    },
  };
}

const sha256 = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const iconAddress = `data:image/svg+xml;base64,${readFileSync(resolve(root, "public/icon.svg")).toString("base64")}`;

const shared = {
  root,
  base: "./",
  resolve: { alias: [{ find: /^unshade$/, replacement: resolve(built, "unshade.js") }, { find: /^unshade\/(.*)$/, replacement: resolve(built, "$1") }] },
} satisfies InlineConfig;
const target = { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false } };

/** The page of one file (src/model/single.ts), without what is put into it when it is saved. Its policy allows its script and its styles by their
 *  digests, and no request at all. */
async function singlePage(): Promise<string> {
  const outputs = (await build({
    ...shared,
    configFile: false,
    mode: "single",
    logLevel: "warn",
    publicDir: false,
    plugins: [svelte()],
    define: { __ICON__: JSON.stringify(iconAddress) },
    resolve: {
      alias: [
        ...shared.resolve.alias,
        { find: /^\.\/start$/, replacement: resolve(root, "src/engine/start.single.ts") },
        { find: /^\.\.\/engine\/unpacker$/, replacement: resolve(root, "src/engine/unpacker.single.ts") },
      ],
    },
    worker: { format: "iife" },
    build: { ...target, write: false, cssCodeSplit: false, rolldownOptions: { input: resolve(root, "src/main.ts"), output: { codeSplitting: false } } },
  })) as Rollup.RollupOutput | Rollup.RollupOutput[];
  const files = [outputs].flat().flatMap(({ output }) => output);
  const script = files.flatMap((file) => (file.type === "chunk" ? [file.code] : [])).join("").replaceAll("</script", "<\\/script");
  const style = files.flatMap((file) => (file.type === "asset" && file.fileName.endsWith(".css") ? [String(file.source)] : [])).join("");
  const policy = [
    "default-src 'none'", `script-src ${sha256(script)} 'wasm-unsafe-eval'`, `style-src ${sha256(style)}`, "img-src data: blob:", "worker-src blob:",
    "base-uri 'none'", "form-action 'none'",
  ].join("; ");
  return readFileSync(resolve(root, "index.html"), "utf8")
    .replace(/content="default-src[^"]*"/, () => `content="${policy}"`)
    .replace(/ *<link rel="manifest"[^>]*>\n/, "")
    .replace("./icon.svg", () => iconAddress)
    .replace("</head>", () => `  <style>${style}</style>\n  </head>`)
    .replace(/<script[^>]*><\/script>/, () => `<!--module-->\n    <!--link-->\n    <script type="module">${script}</script>`);
}

/** The library is fetched from the start, not only when the scripts are there. */
function preloadPlugin(): Plugin {
  return {
    name: "preload",
    transformIndexHtml: {
      order: "post",
      handler(_, { bundle }) {
        const library = Object.keys(bundle ?? {}).find((name) => name.endsWith(".wasm") && !isLoadedLater(name));
        if (!library) return [];
        return [{ tag: "link", attrs: { rel: "preload", as: "fetch", crossorigin: true, href: `./${library}` }, injectTo: "head" }];
      },
    },
  };
}

function singlePlugin(): Plugin {
  return {
    name: "single",
    apply: "build",
    async generateBundle() {
      this.emitFile({ type: "asset", fileName: "single.html", source: await singlePage() });
    },
  };
}

export default defineConfig({
  ...shared,
  plugins: [svelte(), samplesPlugin(), licensesPlugin(), preloadPlugin(), singlePlugin(), offlinePlugin()],
  define: { __ICON__: JSON.stringify("./icon.svg") },
  worker: { format: "es" },
  build: { ...target, outDir: resolve(checkout, "build/page"), emptyOutDir: true },
  server: { fs: { allow: [checkout, built] } },
});
