// Ways in: dropped, picked, pasted, samples, headers, what is no shader.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import test from "node:test";
import { checkout, shows } from "./harness.mjs";

const kPixel = "tests/data/dxbc/textured_ps_5_0.dxbc";
const read = (path) => readFileSync(resolve(checkout, path));

export default function (shared) {
  const page = (name, body, options) => test(name, () => shared.session.withPage(body, options));

  page("the empty page says what to do, and that nothing leaves it", async (explorer, page) => {
    await shows(page.getByRole("main"), "Drop a compiled shader.");
    await shows(page.getByRole("main"), "Nothing leaves this page.");
  });

  page("a dropped file opens", async (explorer, page) => {
    const bytes = [...read(kPixel)];
    const transfer = await page.evaluateHandle((bytes) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], "dropped.cso"));
      return transfer;
    }, bytes);
    await page.dispatchEvent("main", "drop", { dataTransfer: transfer });
    await shows(page.getByRole("banner"), "dropped.cso");
    await shows(page.getByRole("banner"), "ps_5_0");
    await shows(explorer.tree, "RDEF");
  });

  page("a folder opens with all its files", async (explorer, page) => {
    await page.setInputFiles("#open-folder", resolve(checkout, "tests/data/vbc"));
    const files = page.getByRole("region", { name: "Files" });
    await shows(files, "particles.vbc");
    await shows(files, "textured.vbc");
    await files.getByRole("button", { name: "textured.vbc", exact: true }).click();
    await shows(page.getByRole("banner"), "textured.vbc");
    await files.getByRole("button", { name: "Close textured.vbc" }).click();
    await files.getByRole("button", { name: "textured.vbc", exact: true }).waitFor({ state: "detached" });
  });

  page("hexadecimal, base64 and arrays are pasted", async (explorer, page) => {
    const bytes = read(kPixel);
    const texts = [bytes.toString("hex").replace(/../g, "$& "), bytes.toString("base64"), `const BYTE g_main[] = { ${[...bytes].join(", ")} };`];
    for (const text of texts) {
      await page.keyboard.press("p");
      await page.getByRole("textbox", { name: /^Hexadecimal/ }).fill(text);
      await page.getByRole("button", { name: "Open", exact: true }).last().click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await shows(page.getByRole("banner"), "ps_5_0");
      await explorer.goTo("0x0");
    }
    await page.getByRole("region", { name: "Files" }).waitFor();
    await page.keyboard.press("p");
    await page.getByRole("textbox", { name: /^Hexadecimal/ }).fill("no shader at all");
    await page.getByRole("button", { name: "Open", exact: true }).last().click();
    await shows(explorer.news, "neither hexadecimal, nor base64, nor an array");
  });

  page("the arrays of a header open one by one", async (explorer, page) => {
    await explorer.open("tests/data/source/shaders.h");
    await shows(page.getByRole("region", { name: "Files" }), "shaders.h:g_copy");
    await shows(page.getByRole("banner"), "shaders.h:");
  });

  page("a PDB opens as the container in it", async (explorer, page) => {
    await explorer.open("tests/data/dxil/control_ps_6_6_zi.pdb");
    await shows(page.getByRole("banner"), "ps_6_6");
    await shows(explorer.tree, "ILDB");
    await explorer.goTo("pdb/superblock");
    await shows(explorer.selected, "pdb/superblock");
  });

  page("the samples open", async (explorer, page) => {
    await page.getByRole("button", { name: /Nintendo 3DS/ }).click();
    await shows(page.getByRole("banner"), "skin.v.shbin");
    await shows(explorer.tree, "program");
    await explorer.command("Close the file");
    await page.getByRole("button", { name: /SPIR-V module/ }).click();
    await shows(explorer.text(0), "OpCapability");
  });

  page("a damaged file shows what can be read, and where it ends", async (explorer, page) => {
    const bytes = read(kPixel);
    bytes.writeUInt32LE(0xffff, 0x3c);
    await explorer.openBytes("damaged.cso", bytes);
    await shows(explorer.tree, "ISGN");
    await explorer.goTo("RDEF/bindings[0]/text");
    await shows(explorer.selected, "linearWrap");
    const error = page.getByRole("region", { name: "Findings" }).getByRole("button", { name: /^error.*ISGN/ }).first();
    await error.click();
    await shows(explorer.selected, "ISGN");
  });

  page("a file that is no shader shows its bytes", async (explorer, page) => {
    await explorer.openBytes("noise.bin", Buffer.from("nothing that is known"));
    await shows(explorer.hex, "6e6f74");
    await shows(explorer.group(0), "no listing");
    await explorer.openBytes("empty.bin", Buffer.alloc(0));
    await shows(explorer.news, "empty.bin is empty");
    assert.equal(await explorer.news.getAttribute("role"), "alert");
  });
}
