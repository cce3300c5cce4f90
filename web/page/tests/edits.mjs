// Edits, and files that come out of them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import test from "node:test";
import { checkout, shows } from "./harness.mjs";

const kPixel = "tests/data/dxbc/textured_ps_5_0.dxbc";

/** What the native command says of a file; null where it is not built. */
function nativeInfo(bytes) {
  const command = process.env.UNSHADE_COMMAND ?? resolve(checkout, "build/check/unshade");
  return existsSync(command) ? execFileSync(command, ["info", "-"], { input: bytes, encoding: "utf8" }) : null;
}

export default function (shared) {
  const page = (name, body, options) => test(name, () => shared.session.withPage(body, options));

  page("a field's value is changed in the details, and the digest follows", async (explorer, page) => {
    await explorer.open(kPixel);
    await explorer.goTo("ISGN/elements[1]/register");
    await explorer.details.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "New value" }).fill("5");
    await page.keyboard.press("Enter");
    await shows(explorer.news, "ISGN/elements[1]/register is 5");
    await shows(explorer.selected, "ISGN/elements[1]/register, 5");
    await shows(page.getByRole("banner"), "edited");
    const { name, bytes } = await explorer.saved(() => page.getByRole("button", { name: "Save" }).click());
    assert.equal(name, "textured_ps_5_0.dxbc");
    assert.equal(bytes.readUInt32LE(0x6c), 5);
    const info = nativeInfo(bytes);
    if (info !== null) assert.match(info, /valid/);
    await explorer.show("diff");
    await page.getByRole("button", { name: "Bytes", exact: true }).click();
    await shows(explorer.group(0), "ISGN/elements[1]/register");
    await explorer.command("Undo the last edit");
    await shows(explorer.selected, "ISGN/elements[1]/register, 1");
  });

  page("a value that is none is refused", async (explorer, page) => {
    await explorer.open(kPixel);
    await explorer.goTo("ISGN/elements[1]/register");
    await explorer.details.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "New value" }).fill("many");
    await page.keyboard.press("Enter");
    await shows(explorer.news, "ISGN/elements[1]/register");
    assert.equal(await explorer.news.getAttribute("role"), "alert");
  });

  page("the listing is edited and assembled to a file that opens", async (explorer, page) => {
    await explorer.open(kPixel);
    await explorer.group(0).getByRole("button", { name: "Edit" }).click();
    const bar = explorer.group(0).getByRole("status");
    await shows(bar, "unchanged");
    await explorer.text(0).click();
    const search = explorer.group(0).locator(".cm-search input").first();
    for (let tries = 0; tries < 20 && !(await search.isVisible()); ++tries) {
      await page.keyboard.press("Control+F");
      await page.waitForTimeout(100);
    }
    await search.click();
    await page.keyboard.type("mov r4.x, r0.yxxx");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await explorer.group(0).locator(".cm-line", { hasText: "mov r4.x, r0.yxxx" }).first().click();
    await page.keyboard.press("End");
    await page.keyboard.type("\nmov r4.y, r0.yyyy");
    await shows(bar, /assembles to \d+ bytes/);
    await page.keyboard.type("\nnonsense r4");
    await shows(bar, /^\s*line \d+: /);
    assert.equal(await explorer.group(0).getByRole("button", { name: "Assemble" }).isDisabled(), true);
    await page.keyboard.press("Control+Shift+K");
    await shows(bar, /assembles to \d+ bytes/);
    await explorer.group(0).getByRole("button", { name: "Assemble" }).click();
    await shows(explorer.news, "Assembled");
    await explorer.goTo("SHDR");
    await shows(explorer.selected, "SHDR");
    const { bytes } = await explorer.saved(() => page.keyboard.press("Control+S"));
    assert.equal(bytes.toString("latin1", 0, 4), "DXBC");
    assert.equal(bytes.readUInt32LE(24), bytes.length);
    const info = nativeInfo(bytes);
    if (info !== null) assert.match(info, /valid/);
  });
}
