// One selection in all panes, by pointer and by keyboard.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import test from "node:test";
import { checkout, shows } from "./harness.mjs";

const kPixel = "tests/data/dxbc/textured_ps_5_0.dxbc";
const samples = [
  kPixel, "tests/data/dxil/textured_ps_6_6.dxil", "tests/data/spirv/odd.spv", "tests/data/pica/skin.v.shbin", "tests/data/vbc/textured.vbc",
];

export default function (shared) {
  const page = (name, body, options) => test(name, () => shared.session.withPage(body, options));

  page("every byte has a name", async (explorer) => {
    for (const sample of samples) {
      await explorer.open(sample);
      for (const key of ["Control+Home", "Control+End"]) {
        await explorer.hex.focus();
        await explorer.page.keyboard.press(key);
        await shows(explorer.selected, /^0x/);
        await explorer.hex.getByRole("gridcell").nth(32).waitFor();
        const labels = await explorer.hex.getByRole("gridcell").evaluateAll((cells) => cells.map((cell) => cell.getAttribute("aria-label")));
        assert.ok(labels.length > 32);
        for (const label of labels) assert.match(label, /^0x[0-9a-f]+, [0-9a-f]{2}, \S.*, [a-z_]+$/);
      }
    }
  });

  page("a byte selects its field in the tree, the details and the status", async (explorer) => {
    await explorer.open(kPixel);
    await explorer.byte(0x51).click();
    await shows(explorer.selected, "0x51, 1 byte, ISGN/elements[0]/component_type, float");
    await shows(explorer.tree.locator("[aria-selected=true]"), "component_type");
    await shows(explorer.details, "component_type");
    await shows(explorer.details.getByRole("region", { name: "Names of the value" }).locator("[aria-current]"), "float");
    await shows(explorer.details.getByRole("region", { name: "Bytes" }), "unsigned 8");
    await explorer.byte(0x50).click();
    await shows(explorer.details.getByRole("region", { name: "Bytes" }), "03");
  });

  page("the keyboard moves by byte and row in hex, and the tree follows", async (explorer, page) => {
    await explorer.open(kPixel);
    await explorer.byte(0).click();
    for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
    await shows(explorer.selected, "0x4, 1 byte, header/digest");
    await shows(explorer.tree.locator("[aria-selected=true]"), "digest");
    await page.keyboard.press("ArrowDown");
    await shows(explorer.selected, /^0x(c|14), 1 byte/);
    await page.keyboard.press("Home");
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("Shift+ArrowRight");
    await shows(explorer.selected, /, 3 bytes/);
    assert.equal(await explorer.hex.locator("[role=gridcell][aria-selected=true]").count(), 3);
    await page.keyboard.press("Control+End");
    await shows(explorer.selected, "0xdc3, 1 byte, STAT");
  });

  page("the tree is read by keyboard, and hex and listing follow", async (explorer, page) => {
    await explorer.open(kPixel);
    await explorer.tree.focus();
    await page.keyboard.press("End");
    await shows(explorer.selected, "STAT");
    await page.keyboard.press("ArrowUp");
    await shows(explorer.selected, "0x398, 2448 bytes, SHDR");
    await page.keyboard.press("ArrowRight");
    assert.equal(await explorer.tree.locator("[aria-selected=true]").getAttribute("aria-expanded"), "true");
    await page.keyboard.press("ArrowDown");
    await shows(explorer.selected, "SHDR/part_header");
    await explorer.byte(0x398).waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await explorer.tree.locator("[aria-selected=true]").getAttribute("aria-expanded"), "false");
  });

  page("a line of the listing is its bytes and its fields, and the reverse", async (explorer, page) => {
    await explorer.open(kPixel);
    await explorer.goTo("SHDR/instruction[22]");
    await shows(explorer.selected, "0x540, 20 bytes, SHDR/instruction[22]");
    await shows(explorer.group(0).locator(".line-selected"), "mov r4.x, r0.yxxx");
    await explorer.group(0).locator(".cm-line", { hasText: "mov r3.y, r4.xxxx" }).first().click();
    await shows(explorer.selected, "0x554, 20 bytes, SHDR/instruction[23]");
    await shows(explorer.tree.locator("[aria-selected=true]"), "instruction[23]");
    await shows(explorer.hex.locator("[aria-selected=true]"), /^[0-9a-f]{2}$/);
    await page.keyboard.press("ArrowDown");
    await shows(explorer.selected, "SHDR/instruction[24]");
  });

  page("the tokens of an instruction and the meaning of each bit", async (explorer, page) => {
    await explorer.open(kPixel);
    await explorer.goTo("SHDR/instruction[22]");
    const inside = explorer.details.getByRole("region", { name: "Fields inside" });
    await shows(inside, "mov r4.x, r0.yxxx");
    await inside.getByRole("button", { name: "operand_token" }).first().click();
    await shows(explorer.selected, "SHDR/instruction[22]/operand[0]/operand_token");
    const bits = explorer.details.getByRole("region", { name: "Bits" });
    await shows(bits, "swizzle");
    await shows(bits, "11:4");
  });

  page("hovering shows path, value and bits, and scrolls nothing", async (explorer, page) => {
    await explorer.open(kPixel);
    await explorer.goTo("SHDR/instruction[22]/operand[0]/operand_token");
    const before = await explorer.hex.evaluate((grid) => grid.scrollTop);
    await explorer.byte(0x544 + 8).hover();
    const card = page.locator(".card");
    await shows(card, "SHDR/instruction[22]/operand[1]/operand_token");
    await shows(card, "components");
    await shows(card, "0x54c");
    assert.equal(await explorer.hex.evaluate((grid) => grid.scrollTop), before);
    await shows(explorer.selected, "operand[0]/operand_token");
  });

  page("brackets go by field, Alt+Up to the group, Enter to the other group of views", async (explorer, page) => {
    await explorer.open(kPixel);
    await explorer.goTo("ISGN/elements[0]/register");
    await page.keyboard.press("]");
    await shows(explorer.selected, "ISGN/elements[0]/mask");
    await page.keyboard.press("[");
    await page.keyboard.press("[");
    await shows(explorer.selected, "ISGN/elements[0]/component_type");
    await page.keyboard.press("Alt+ArrowUp");
    await shows(explorer.selected, "0x44, 24 bytes, ISGN/elements[0]");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("role")), "grid");
    await page.keyboard.press("1");
    await shows(explorer.text(1), "cbuffer Material");
  });

  page("bytes, text, numbers and paths are found", async (explorer, page) => {
    await explorer.open(kPixel);
    await explorer.tree.focus();
    await page.keyboard.press("/");
    const find = page.getByRole("textbox", { name: "Find" });
    for (const [text, found] of [
      ["53 48 ?? 52", "0x398, 4 bytes, SHDR/part_header/fourcc"],
      ['"alphaCutoff"', "RDEF/constant_buffers[0]/variables[1]/text"],
      ["ISGN/elements[2]/register", "ISGN/elements[2]/register"],
    ]) {
      await find.fill(text);
      await page.keyboard.press("Enter");
      await shows(explorer.selected, found);
    }
    await find.fill("ff ee dd cc bb aa");
    await page.keyboard.press("Enter");
    await shows(page.getByRole("dialog").getByRole("status"), "not found");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  page("the listing is that of the vendor's tool", async (explorer) => {
    await explorer.open("tests/data/dxil/mesh_ms_6_5.dxil");
    await shows(explorer.text(0), "Input signature");
    const expected = readFileSync(resolve(checkout, "tests/data/dxil/mesh_ms_6_5.ll"), "utf8");
    assert.equal((await explorer.textOf("Listing")).trimEnd(), expected.trimEnd());
  });
}
