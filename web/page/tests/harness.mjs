// What the browser tests share: a server of the built page, Debian's chromium, and pages that fail a test on any request beyond their origin.
import assert from "node:assert/strict";
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, resolve } from "node:path";
import { pathToFileURL } from "node:url";

export const checkout = resolve(import.meta.dirname, "../../..");
export const chromiumPath = process.env.UNSHADE_CHROMIUM ?? "/usr/bin/chromium";
export const flags = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
  "--disable-sync",
];
const types = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json", ".json": "application/json",
};

/** Serves a folder on the loopback, as any static host does; or several: of the longest beginning of a path, with "/" at its end, the folder. */
export async function serve(folders) {
  const rows = Object.entries(typeof folders === "string" ? { "/": folders } : folders).sort(([a], [b]) => b.length - a.length);
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    const [beginning, folder] = rows.find(([beginning]) => path.startsWith(beginning));
    const file = join(folder, path.slice(beginning.length), path.endsWith("/") ? "index.html" : "");
    if (!file.startsWith(folder) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream", "content-length": statSync(file).size, vary: "Origin" });
    createReadStream(file).pipe(response);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

export class Session {
  static async start(address) {
    const { chromium } = await import("playwright-core");
    const browser = await chromium.launch({ executablePath: chromiumPath, args: flags });
    return new Session(address, browser);
  }

  constructor(address, browser) {
    this.address = address;
    this.browser = browser;
  }

  /** Runs `body` with a page of its own. What the page asks of others, logs as an error or refuses by its policy fails the test. */
  async withPage(body, options = {}) {
    const context = await this.browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true, ...options });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const faults = [];
    const origin = new URL(this.address).origin;
    context.on("request", (request) => {
      const url = new URL(request.url());
      if (!["data:", "blob:"].includes(url.protocol) && url.origin !== origin) faults.push(`request to ${url.href}`);
    });
    const page = await context.newPage();
    page.on("console", (message) => message.type() === "error" && faults.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
    page.setDefaultTimeout(15_000);
    try {
      const opened = new Explorer(page, this.address);
      await opened.go();
      await body(opened, page);
      assert.deepEqual(faults, []);
    } finally {
      await context.close();
    }
  }

  async close() {
    await this.browser.close();
  }
}

/** Runs `body` with a page of one file, opened from the disk, in a browser of its own. Any request fails the test. `before` runs in the page first. */
export async function withFile(path, body, before) {
  const session = await Session.start(pathToFileURL(path).href);
  try {
    const context = await session.browser.newContext({ viewport: { width: 1440, height: 900 } });
    const faults = [];
    context.on("request", (request) => {
      const url = request.url();
      if (!/^(data|blob):/.test(url) && url.replace(/#.*/, "") !== session.address) faults.push(`request to ${url}`);
    });
    const page = await context.newPage();
    if (before) await page.addInitScript(before);
    page.on("console", (message) => message.type() === "error" && faults.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
    page.setDefaultTimeout(15_000);
    const explorer = new Explorer(page, session.address);
    await explorer.go();
    await body(explorer, page);
    assert.deepEqual(faults, []);
  } finally {
    await session.close();
  }
}

/** The page, in the words of its user. */
export class Explorer {
  constructor(page, address) {
    this.page = page;
    this.address = address;
  }

  async go(fragment = "") {
    await this.page.goto(this.address + fragment);
    await this.page.getByRole("banner").waitFor();
  }

  /** Opens files by their paths below the checkout, or absolute ones. */
  async open(...paths) {
    await this.page.setInputFiles("#open-files", paths.map((path) => resolve(checkout, path)));
    await this.page.getByRole("tree").waitFor();
  }

  async openBytes(name, bytes) {
    await this.page.setInputFiles("#open-files", { name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) });
  }

  /** The line at the bottom. */
  get selected() {
    return this.page.getByRole("status", { name: "Selection" });
  }
  get news() {
    return this.page.locator("[aria-label=News]");
  }
  get hex() {
    return this.page.getByRole("grid");
  }
  get tree() {
    return this.page.getByRole("tree");
  }
  get details() {
    return this.page.getByRole("complementary", { name: "Details" });
  }
  group(number) {
    return this.page.locator(`#panel-${number}`);
  }

  /** What an editor group's text view has in view. */
  text(number) {
    return this.group(number).locator(".cm-content");
  }

  byte(offset) {
    return this.page.locator(`#byte-${offset}`);
  }

  async show(view, group = 0) {
    await this.page.locator(`#tab-${group}-${view}`).click();
  }

  async command(name) {
    await this.page.keyboard.press("Control+K");
    await this.page.getByRole("combobox", { name: "Command" }).fill(name);
    await this.page.keyboard.press("Enter");
  }

  async goTo(place) {
    await this.tree.focus();
    await this.page.keyboard.press("g");
    await this.page.getByRole("textbox", { name: "Offset or path" }).fill(place);
    await this.page.keyboard.press("Enter");
  }

  /** A text pane's whole text, which it does not keep in the document. */
  async textOf(label) {
    const content = this.page.getByLabel(label, { exact: true }).and(this.page.locator(".cm-content"));
    await content.click();
    // Keys are loaded with the focus: until then the browser selects what is in view alone.
    let text = null;
    for (let before = ""; text !== before || text === ""; ) {
      before = text;
      await this.page.waitForTimeout(300);
      await this.page.keyboard.press("Control+A");
      await this.page.keyboard.press("Control+C");
      text = await this.page.evaluate(() => navigator.clipboard.readText());
    }
    return text;
  }

  /** What a download has. */
  async saved(act) {
    const [download] = await Promise.all([this.page.waitForEvent("download"), act()]);
    const chunks = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk);
    return { name: download.suggestedFilename(), bytes: Buffer.concat(chunks) };
  }
}

const axePath = resolve(import.meta.dirname, "../node_modules/axe-core/axe.min.js");

/** What axe finds. */
export async function axe(page) {
  await page.evaluate(readFileSync(axePath, "utf8"));
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target.join(" ")} ${node.failureSummary}`).join("; ")}`);
}

/** Waits until a locator has a text, and fails with what it has. */
export async function shows(locator, expected, milliseconds = 10_000) {
  const matches = (text) => (expected instanceof RegExp ? expected.test(text) : text.includes(expected));
  const end = Date.now() + milliseconds;
  let text = "";
  for (;;) {
    text = (await locator.first().textContent().catch(() => "")) ?? "";
    if (matches(text)) return text;
    if (Date.now() > end) assert.fail(`expected ${expected}, found ${JSON.stringify(text.slice(0, 600))}`);
    await new Promise((done) => setTimeout(done, 40));
  }
}
