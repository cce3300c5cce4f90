#!/usr/bin/env node
// The extension, built, in an editor that is none: extension_test.mjs PAGE. Its manifest agrees with what it registers, and what it shows is the
// page with the shader in it. Exits 77 with a reason where it cannot run.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import test, { after } from "node:test";
import { pathToFileURL } from "node:url";

const root = resolve(import.meta.dirname, "..");
const checkout = resolve(root, "../..");
const page = resolve(process.argv[2] ?? join(checkout, "build/page"));
const harness = await import(pathToFileURL(join(checkout, "web/page/tests/harness.mjs")));

function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(77);
}
if (!existsSync(join(page, "single.html"))) skip(`no page in ${page}: scripts/explore.sh --build-only ${page}`);
if (!existsSync(join(checkout, "web/page/node_modules/vite"))) skip("no node_modules: npm ci --ignore-scripts in web/page");

execFileSync(process.execPath, [join(root, "build.mjs"), page], { stdio: "inherit" });
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const folder = mkdtempSync(join(tmpdir(), "unshade-vscode-"));
after(() => rmSync(folder, { recursive: true }));

// ---- an editor that is none ----

class Uri {
  constructor(path) {
    this.path = path;
  }
  toString() {
    return `file://${this.path}`;
  }
  static joinPath(base, ...segments) {
    return new Uri(join(base.path, ...segments));
  }
}
const seen = { providers: new Map(), commands: new Map(), executed: [], errors: [], watchers: [], asked: [] };
const vscode = {
  Uri,
  RelativePattern: class {
    constructor(base, pattern) {
      Object.assign(this, { base, pattern });
    }
  },
  workspace: {
    fs: {
      readFile: async ({ path }) => new Uint8Array(readFileSync(path)),
      writeFile: async ({ path }, bytes) => writeFileSync(path, bytes),
    },
    createFileSystemWatcher(pattern) {
      const watcher = {
        pattern,
        isDisposed: false,
        onDidChange(listener) {
          watcher.change = listener;
          return { dispose() {} };
        },
        dispose: () => (watcher.isDisposed = true),
      };
      seen.watchers.push(watcher);
      return watcher;
    },
  },
  window: {
    activeTextEditor: undefined,
    registerCustomEditorProvider(viewType, provider, options) {
      seen.providers.set(viewType, { provider, options });
      return { dispose() {} };
    },
    showSaveDialog: async ({ defaultUri }) => (seen.asked.push(defaultUri.path), new Uri(join(folder, "saved.cso"))),
    showErrorMessage: (message) => seen.errors.push(message),
  },
  commands: {
    registerCommand(command, callback) {
      seen.commands.set(command, callback);
      return { dispose() {} };
    },
    executeCommand: async (...parameters) => seen.executed.push(parameters),
  },
};

const load = Module._load;
Module._load = (request, ...rest) => (request === "vscode" ? vscode : load(request, ...rest));
const extension = createRequire(import.meta.url)(join(root, manifest.main));
const context = { extensionUri: new Uri(root), subscriptions: [] };
extension.activate(context);

function makePanel() {
  const panel = {
    webview: {
      html: "",
      options: {},
      onDidReceiveMessage(listener) {
        panel.send = listener;
        return { dispose() {} };
      },
    },
    onDidDispose: (listener) => ((panel.dispose = listener), { dispose() {} }),
  };
  return panel;
}
const [editor] = manifest.contributes.customEditors;
async function show(path) {
  const { provider } = seen.providers.get(editor.viewType);
  const panel = makePanel();
  await provider.resolveCustomEditor(provider.openCustomDocument(new Uri(path)), panel);
  return panel;
}
const kPixel = join(checkout, "tests/data/dxbc/textured_ps_5_0.dxbc");

// ---- tests ----

test("the manifest names what there is", () => {
  assert.equal(manifest.main, manifest.browser);
  assert.ok(existsSync(join(root, manifest.main)));
  assert.deepEqual([...seen.providers.keys()], manifest.contributes.customEditors.map(({ viewType }) => viewType));
  assert.deepEqual([...seen.commands.keys()], manifest.contributes.commands.map(({ command }) => command));
  const patterns = editor.selector.map(({ filenamePattern }) => filenamePattern).join(" ");
  const accepted = JSON.parse(readFileSync(join(checkout, "web/page/public/manifest.webmanifest"), "utf8")).file_handlers.flatMap(({ accept }) => Object.values(accept).flat());
  for (const end of accepted.filter((end) => ![".pdb", ".h", ".inc"].includes(end))) assert.ok(patterns.includes(end.slice(1)), end);
  assert.equal(context.subscriptions.length, 2);
});

test("a shader is shown, again when it changes, and what is edited is saved", async () => {
  const path = join(folder, "shader.cso");
  writeFileSync(path, readFileSync(kPixel));
  const panel = await show(path);
  assert.equal(panel.webview.options.enableScripts, true);
  assert.match(panel.webview.html, /<title>shader\.cso<\/title>/);
  assert.match(panel.webview.html, /id="module">[A-Za-z0-9+/=]{100000,}</);
  const before = panel.webview.html;
  writeFileSync(path, readFileSync(join(checkout, "tests/data/dxbc/textured_ps_4_0.dxbc")));
  seen.watchers.at(-1).change();
  for (let tries = 0; tries < 100 && panel.webview.html === before; ++tries) await new Promise((done) => setTimeout(done, 50));
  assert.notEqual(panel.webview.html, before);
  panel.send({ name: "edited.cso", bytes: new Uint8Array([1, 2, 3]) });
  panel.send({ name: 1 });
  for (let tries = 0; tries < 100 && !existsSync(join(folder, "saved.cso")); ++tries) await new Promise((done) => setTimeout(done, 50));
  assert.deepEqual([...readFileSync(join(folder, "saved.cso"))], [1, 2, 3]);
  assert.deepEqual(seen.asked, [join(folder, "edited.cso")]);
  panel.dispose();
  assert.equal(seen.watchers.at(-1).isDisposed, true);
});

test("a file that cannot be read is an error message", async () => {
  await show(join(folder, "absent.cso"));
  assert.match(seen.errors.at(-1), /^absent\.cso: ENOENT/);
});

test("the command opens any file so", async () => {
  await seen.commands.get("unshade.open")(new Uri("/x/y.bin"));
  assert.deepEqual(seen.executed.map(([command, uri, view]) => [command, uri.path, view]), [["vscode.openWith", "/x/y.bin", editor.viewType]]);
  assert.equal(seen.commands.get("unshade.open")(), undefined);
});

test("what is shown is the explorer, and saving goes through the editor", { skip: !existsSync(harness.chromiumPath) && `no ${harness.chromiumPath}` }, async () => {
  const panel = await show(kPixel);
  const path = join(folder, "view.html");
  writeFileSync(path, panel.webview.html);
  await harness.withFile(path, async (explorer, page) => {
    await harness.shows(explorer.text(0), "cbuffer Material");
    await explorer.goTo("ISGN/elements[1]/register");
    await explorer.details.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "New value" }).fill("5");
    await page.keyboard.press("Enter");
    await harness.shows(explorer.news, "ISGN/elements[1]/register is 5");
    await page.getByRole("button", { name: "Save" }).click();
    await page.waitForFunction(() => globalThis.sent?.length === 1);
    assert.equal(await page.evaluate(() => globalThis.sent[0].name), "textured_ps_5_0.dxbc");
    assert.equal(await page.evaluate(() => globalThis.sent[0].bytes[0x6c]), 5);
  }, () => {
    globalThis.sent = [];
    globalThis.acquireVsCodeApi = () => ({ postMessage: (message) => globalThis.sent.push(message) });
  });
});
