// Links whose fragment carries the file.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { zipOf } from "../../../tests/web/packed.mjs";
import { shows, withFile } from "./harness.mjs";

const kPixel = "tests/data/dxbc/textured_ps_5_0.dxbc";

export default function (shared) {
  const page = (name, body, options) => test(name, () => shared.session.withPage(body, options));

  page("a link carries the file, the place and the views", async (explorer, page) => {
    await explorer.open(kPixel);
    await explorer.show("hex", 0);
    await explorer.goTo("ISGN/elements[2]/register");
    await page.keyboard.press("l");
    await shows(explorer.news, "Link copied");
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(link, /#v1&n=textured_ps_5_0\.dxbc&z=[\w-]+&at=/);
    assert.ok(link.length < 2500, `${link.length} characters`);
    await page.goto("about:blank");
    await page.goto(link);
    await shows(explorer.selected, "ISGN/elements[2]/register, 2");
    assert.equal(await page.locator("#tab-0-hex").getAttribute("aria-selected"), "true");
  });

  page("a page of one file opens from the disk, without any request, at the same place", async (explorer, page) => {
    await explorer.open(kPixel);
    await explorer.goTo("ISGN/elements[2]/register");
    const { name, bytes } = await explorer.saved(() => explorer.command("Save as a page of one file"));
    assert.equal(name, "textured_ps_5_0.dxbc.html");
    await shows(explorer.news, "opens without a server or a network");
    const folder = mkdtempSync(join(tmpdir(), "unshade-single-"));
    try {
      writeFileSync(join(folder, name), bytes);
      await withFile(join(folder, name), async (explorer, page) => {
        await shows(explorer.selected, "ISGN/elements[2]/register, 2");
        await shows(explorer.text(0), "cbuffer Material");
        assert.equal(await page.title(), "textured_ps_5_0.dxbc – unshade");
        await explorer.byte(0).click();
        await shows(explorer.selected, "header/magic");
        for (const view of ["reflection", "graph", "source", "run", "diff"]) await explorer.show(view, 1);
        await explorer.show("run", 1);
        await page.getByRole("button", { name: "Run", exact: true }).click();
        await shows(page.getByRole("region", { name: "Results" }), "SV_Target1");
        await page.locator("h1").waitFor();
        await explorer.openBytes("game.zip", zipOf([["lit.cso", bytes]]).bytes);
        await shows(page.getByRole("region", { name: "Shaders found" }), "opens no archives");
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  page("a link that was cut says so", async (explorer, page) => {
    await explorer.go("#v1&n=cut.cso&z=AAAA");
    await shows(explorer.news, "The file in this link is damaged");
  });
}
