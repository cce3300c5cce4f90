// Shaders in archives, compressed files and files of engines, which a second module opens that nothing else loads.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import test from "node:test";
import { unityBundle, zipOf } from "../../../tests/web/packed.mjs";
import { axe, checkout, shows } from "./harness.mjs";

const kPixel = "tests/data/dxbc/textured_ps_5_0.dxbc";
const read = (path) => readFileSync(resolve(checkout, path));
const pixel = read(kPixel);
const vertex = read("tests/data/dxbc/lit_vs_5_0.dxbc");
const isSecondModule = (url) => /\/unshade-files[^/]*\.wasm$/.test(url);

export default function (shared) {
  const page = (name, body, options) => test(name, () => shared.session.withPage(body, options));
  const foundIn = (page) => page.getByRole("region", { name: "Shaders found" });
  const summaryOf = (page) => foundIn(page).getByRole("status");

  page("the shaders of a zip are listed, each once, and open as if they were dropped", async (explorer, page) => {
    const zip = zipOf([["shaders/lit.cso", vertex], ["readme.txt", Buffer.from("none here")], ["shaders/more/textured.cso", pixel], ["copy.cso", vertex]]);
    await explorer.openBytes("game.zip", zip.bytes);
    await shows(summaryOf(page), "2 shaders at 3 places");
    const rows = foundIn(page).getByRole("listitem");
    assert.equal(await rows.count(), 2);
    await shows(rows.nth(0), /^\s*shaders\/lit\.cso\s*×2dxbc vs_5_0 vertex, \d+ bytes\s*$/);
    assert.equal(await rows.nth(0).getAttribute("title"), "shaders/lit.cso\ncopy.cso");
    await shows(rows.nth(1), /^\s*shaders\/more\/textured\.cso\s*dxbc ps_5_0 pixel, 3524 bytes\s*$/);
    assert.deepEqual(await axe(page), []);
    await rows.nth(1).getByRole("button").click();
    await shows(page.getByRole("banner"), "textured.cso");
    await shows(explorer.text(0), "cbuffer Material");
    const files = page.getByRole("region", { name: "Files" });
    await shows(files, "in game.zip!shaders/more");
    assert.deepEqual((await explorer.saved(() => explorer.command("Save the file"))).bytes, pixel);
    // The list is kept, and what is open is shown again.
    await files.getByRole("button", { name: "game.zip", exact: true }).click();
    await rows.nth(1).getByRole("button").click();
    await shows(page.getByRole("banner"), "textured.cso");
    assert.equal(await files.getByRole("button", { name: /^Close / }).count(), 2);
  });

  page("a 7z, a compressed tar and a bundle of Unity open", async (explorer, page) => {
    for (const [name, bytes, ...expected] of [
      ["members.7z", read("tests/data/archives/members.7z"), "lit.cso", "last.cso"],
      ["members.tar.gz", read("tests/data/archives/members.tar.gz"), "(gzip)!lit.cso", "(gzip)!last.cso"],
      ["game.unity3d", unityBundle(pixel), "CAB-lit"],
      ["one.gz", gzipSync(pixel), "(gzip)"],
    ]) {
      await explorer.openBytes(name, bytes);
      await shows(page.getByRole("banner"), name);
      await shows(summaryOf(page), expected.length === 1 ? "1 shader" : `${expected.length} shaders`);
      for (const [i, member] of expected.entries()) await shows(foundIn(page).getByRole("listitem").nth(i), member);
      await foundIn(page).getByRole("listitem").last().getByRole("button").click();
      await shows(explorer.text(0), "cbuffer Material");
    }
  });

  page("a damaged archive says where, and gives what is whole", async (explorer, page) => {
    const { bytes, places } = zipOf([["bad.cso", vertex], ["good.cso", pixel]]);
    bytes.fill(0xff, places[0], places[0] + 40);
    await explorer.openBytes("damaged.zip", bytes);
    await shows(summaryOf(page), "1 shader");
    await shows(foundIn(page).getByRole("listitem").filter({ hasText: "ps_5_0" }), "good.cso");
    const faults = page.getByRole("list", { name: "What could not be unpacked" });
    await shows(faults, /^\s*bad\.cso: .*bad-value at 0x/s);
    assert.deepEqual(await axe(page), []);
    const place = /0x[0-9a-f]+/.exec(await faults.textContent())[0];
    await faults.getByRole("button").click();
    await shows(explorer.selected, `${place}, 1 byte`);
  });

  page("an encrypted archive and one without shaders say so", async (explorer, page) => {
    await explorer.openBytes("secret.zip", zipOf([["lit.cso", vertex]], { isEncrypted: true }).bytes);
    await shows(summaryOf(page), "no shader in this file");
    await shows(page.getByRole("list", { name: "What could not be unpacked" }), "lit.cso: the member is encrypted");
    await explorer.openBytes("texts.zip", zipOf([["readme.txt", Buffer.from("none here")]]).bytes);
    await shows(page.getByRole("banner"), "texts.zip");
    await shows(summaryOf(page), "no shader in this file");
    assert.equal(await page.getByRole("list", { name: "What could not be unpacked" }).count(), 0);
  });

  page("many shaders are filtered by name, profile and stage", async (explorer, page) => {
    const others = ["grid_cs_5_0", "textured_ps_4_0", "lit_vs_4_0"].map((name) => read(`tests/data/dxbc/${name}.dxbc`));
    // Each of other bytes: what follows the container is not the shader's.
    const members = Array.from({ length: 9 }, (_, i) => {
      const bytes = Buffer.from(others[i % 3]);
      bytes.writeUInt32LE(i, 4); // of the digest
      return [`${"abc"[i % 3]}/${i}.cso`, bytes];
    });
    await explorer.openBytes("many.zip", zipOf(members).bytes);
    await shows(summaryOf(page), "9 shaders");
    const filter = foundIn(page).getByRole("searchbox", { name: "Filter the shaders" });
    for (const [text, count] of [["compute", 3], ["PS_4_0 b/", 3], ["7", 1], ["nothing", 0]]) {
      await filter.fill(text);
      await shows(summaryOf(page), `9 shaders, ${count} shown`);
      assert.equal(await foundIn(page).getByRole("listitem").count(), count, text);
    }
  });

  page("a search is stopped, and begun again", async (explorer, page) => {
    let go;
    const held = new Promise((resolve) => (go = resolve));
    await page.context().route(isSecondModule, async (route) => (await held, route.continue()));
    await explorer.openBytes("game.zip", zipOf([["lit.cso", vertex]]).bytes);
    await shows(summaryOf(page), "loading what opens archives");
    await foundIn(page).getByRole("button", { name: "Stop" }).click();
    await shows(summaryOf(page), "stopped at 0 %");
    go();
    await foundIn(page).getByRole("button", { name: "Search again" }).click();
    await shows(summaryOf(page), "1 shader");
  }, { serviceWorkers: "block" });

  page("the second module is loaded by what may be an archive alone", async (explorer, page) => {
    const loaded = [];
    page.on("response", (response) => isSecondModule(response.url()) && loaded.push(response.url()));
    await explorer.open(kPixel);
    await shows(explorer.text(0), "cbuffer Material");
    await explorer.openBytes("notes.txt", Buffer.from("a text is no archive"));
    await shows(summaryOf(page), "no shader in this file");
    assert.deepEqual(loaded, []);
    await explorer.openBytes("game.zip", zipOf([["lit.cso", vertex]]).bytes);
    await shows(summaryOf(page), "1 shader");
    assert.equal(loaded.length, 1);
    assert.match(await page.evaluate(async () => (await fetch("./LICENSE-files")).text()), /libarchive/);
  }, { serviceWorkers: "block" });

  page("what could not be loaded is told", async (explorer, page) => {
    await page.context().route(isSecondModule, (route) => route.fulfill({ status: 200, contentType: "application/wasm", body: "no module" }));
    await explorer.openBytes("game.zip", zipOf([["lit.cso", vertex]]).bytes);
    await shows(foundIn(page).getByRole("alert"), "what opens archives could not be loaded: WebAssembly");
    await foundIn(page).getByRole("button", { name: "Search again" }).waitFor();
  }, { serviceWorkers: "block" });

  page("without a network the second module is there once it was loaded", async (explorer, page) => {
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const kept = () =>
      page.evaluate(async () => {
        const caches = await Promise.all((await globalThis.caches.keys()).map((name) => globalThis.caches.open(name)));
        return (await Promise.all(caches.map((cache) => cache.keys()))).flat().map(({ url }) => url);
      });
    assert.ok((await kept()).some((url) => url.endsWith(".wasm")));
    assert.ok(!(await kept()).some(isSecondModule));
    await explorer.openBytes("game.zip", zipOf([["lit.cso", vertex]]).bytes);
    await shows(summaryOf(page), "1 shader");
    await page.context().setOffline(true);
    await page.reload();
    await explorer.openBytes("game.zip", zipOf([["textured.cso", pixel]]).bytes);
    await shows(summaryOf(page), "1 shader");
    await shows(foundIn(page).getByRole("listitem"), "textured.cso");
  });
}
