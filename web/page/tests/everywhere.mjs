// Without a network, on small screens, for readers of the screen, with large files, after faults.
import assert from "node:assert/strict";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, truncateSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import test from "node:test";
import { axe, checkout, shows } from "./harness.mjs";

const kPixel = "tests/data/dxbc/textured_ps_5_0.dxbc";
const kMostBytes = 150 * 1024;
export default function (shared) {
  const page = (name, body, options) => test(name, () => shared.session.withPage(body, options));

  page("the page works without a network once it was loaded, and can be installed", async (explorer, page) => {
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.context().setOffline(true);
    await page.reload();
    await shows(page.getByRole("main"), "Drop a compiled shader.");
    await page.getByRole("button", { name: /Nintendo 3DS/ }).click();
    await shows(explorer.text(0), ".proc main");
    const manifest = await page.evaluate(async () => (await fetch(document.querySelector("link[rel=manifest]").href)).json());
    assert.equal(manifest.display, "standalone");
    assert.ok(manifest.icons.length > 0 && manifest.start_url && manifest.name);
  });

  for (const colorScheme of ["light", "dark"]) {
    page(`axe finds nothing, ${colorScheme}`, async (explorer, page) => {
      assert.deepEqual(await axe(page), [], "the empty page");
      await explorer.open("tests/data/dxbc/textured_ps_4_0.dxbc", kPixel);
      await explorer.goTo("SHDR/instruction[22]/operand[0]/operand_token");
      await shows(explorer.details, "swizzle");
      await shows(explorer.text(0), "mov r4.x");
      assert.deepEqual(await axe(page), [], "listing and hex");
      for (const view of ["graph", "reflection", "source", "run", "diff"]) {
        await explorer.show(view);
        await page.waitForTimeout(400);
        assert.deepEqual(await axe(page), [], view);
      }
      await explorer.show("run");
      await explorer.tree.focus();
      for (const key of ["F10", "F10", "F9"]) await page.keyboard.press(key);
      await shows(page.getByRole("region", { name: "Registers" }), "changed");
      assert.deepEqual(await axe(page), [], "stepping");
      await page.getByRole("button", { name: "Text", exact: true }).click();
      await page.waitForTimeout(400);
      assert.deepEqual(await axe(page), [], "the case as text");
      for (const key of ["Control+K", "g", "/", "p", "?"]) {
        await explorer.tree.focus();
        await page.keyboard.press(key);
        await page.getByRole("dialog").waitFor();
        assert.deepEqual(await axe(page), [], key);
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
      }
    }, { colorScheme });
  }

  test("what is loaded until a listing shows, besides the WebAssembly, is small", { skip: shared.folder === null }, () =>
    shared.session.withPage(async (explorer, page) => {
      const paths = new Set();
      page.on("response", (response) => paths.add(new URL(response.url()).pathname));
      await explorer.go();
      await explorer.open(kPixel);
      await shows(explorer.text(0), "cbuffer Material");
      const files = [...paths].map((path) => (path.endsWith("/") ? `${path}index.html` : path)).filter((path) => /\.(html|js|css|svg)$/.test(path));
      assert.ok(files.some((file) => file.includes("worker")) && files.some((file) => file.endsWith(".css")), files.join(" "));
      const size = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(shared.folder, file)), { level: 9 }).length, 0);
      assert.ok(size <= kMostBytes, `${size} bytes, at most ${kMostBytes}`);
    }, { serviceWorkers: "block" }));

  page("a phone shows a pane at a time", async (explorer, page) => {
    await page.setInputFiles("#open-files", resolve(checkout, kPixel));
    await shows(explorer.text(0), "cbuffer Material");
    const panes = page.getByRole("navigation", { name: "Panes" });
    await panes.getByRole("button", { name: "Fields" }).click();
    await shows(explorer.tree, "ISGN");
    await panes.getByRole("button", { name: "Views" }).click();
    await explorer.show("hex");
    await explorer.byte(0).click();
    await shows(explorer.selected, "header/magic");
    assert.equal(await explorer.hex.getByRole("row").first().getByRole("gridcell").count(), 8);
    await panes.getByRole("button", { name: "Details" }).click();
    await shows(explorer.details, "DXBC");
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
    assert.deepEqual(await axe(page), []);
  }, { viewport: { width: 390, height: 780 } });

  page("a file of 500 MB opens by windows, and the shaders in it are found", async (explorer, page) => {
    const folder = mkdtempSync(join(tmpdir(), "unshade-page-"));
    try {
      const path = join(folder, "game.pak");
      const file = openSync(path, "w");
      // Across the border of two pieces of the search, and far behind.
      writeSync(file, readFileSync(resolve(checkout, kPixel)), 0, undefined, 16 * 1024 * 1024 - 1000);
      writeSync(file, readFileSync(resolve(checkout, "tests/data/spirv/odd.spv")), 0, undefined, 400_000_000);
      closeSync(file);
      truncateSync(path, 500_000_000);
      await page.setInputFiles("#open-files", path);
      const found = page.getByRole("region", { name: "Shaders found" });
      await shows(found.getByRole("status"), /^\s*2 shaders/, 120_000);
      await found.getByRole("button", { name: "0x17d78400" }).click();
      await shows(explorer.selected, "0x17d78400, 1988 bytes");
      await explorer.byte(400_000_000).waitFor();
      await shows(explorer.byte(400_000_000), "03");
      await explorer.hex.focus();
      await page.keyboard.press("/");
      await page.getByRole("textbox", { name: "Find" }).fill("53 48 44 52");
      await page.keyboard.press("Enter");
      await shows(explorer.selected, "0xffffb0, 4 bytes");
      await page.keyboard.press("Escape");
      await found.getByRole("button", { name: /^dxbc ps_5_0 pixel, 3524 bytes/ }).click();
      await shows(page.getByRole("banner"), "game.pak@fffc18");
      await shows(explorer.text(0), "cbuffer Material");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}
