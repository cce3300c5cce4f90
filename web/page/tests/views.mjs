// Reflection, findings, sources, comparison, runs.
import assert from "node:assert/strict";
import test from "node:test";
import { shows } from "./harness.mjs";

const kPixel = "tests/data/dxbc/textured_ps_5_0.dxbc";
const kOlder = "tests/data/dxbc/textured_ps_4_0.dxbc";

export default function (shared) {
  const page = (name, body, options) => test(name, () => shared.session.withPage(body, options));

  page("reflection as tables, each row with its bytes; as HLSL; as JSON", async (explorer, page) => {
    await explorer.open(kPixel);
    await explorer.show("reflection");
    const tables = page.getByRole("region", { name: "Reflection as tables" });
    await shows(tables, "Material, cbuffer, 32 bytes");
    await tables.getByRole("button", { name: "alphaCutoff" }).click();
    await shows(explorer.selected, "RDEF/constant_buffers[0]/variables[1]");
    await shows(tables.locator("tr.selected"), "alphaCutofffloat164used");
    await explorer.goTo("ISGN/elements[1]/mask");
    await shows(tables.locator("tr.selected"), "TEXCOORD");
    await page.getByRole("button", { name: "HLSL" }).click();
    await shows(explorer.text(0), "cbuffer Material : register(b1)");
    await page.getByRole("button", { name: "JSON" }).click();
    assert.equal(JSON.parse(await explorer.textOf("Reflection as JSON")).profile, "ps_5_0");
  });

  page("names of DXIL and SPIR-V are shown where they are written", async (explorer, page) => {
    await explorer.open("tests/data/dxil/textured_ps_6_6.dxil");
    await explorer.show("reflection");
    await page.getByRole("button", { name: "TEXCOORD" }).first().click();
    await shows(explorer.selected, /ISG1\/elements\[\d\]/);
  });

  page("findings lead to their bytes", async (explorer, page) => {
    await explorer.open(kPixel);
    const findings = page.getByRole("region", { name: "Findings" });
    await findings.getByRole("button", { name: /STAT\/instruction_count/ }).click();
    await shows(explorer.selected, "STAT/instruction_count, 116");
    await shows(findings, "stat.count");
  });

  page("a file without faults says so", async (explorer, page) => {
    await explorer.open("tests/data/dxil/transform_vs_6_8.dxil");
    await shows(page.getByRole("region", { name: "Findings" }), "No findings");
  });

  page("the source that a shader carries", async (explorer, page) => {
    await explorer.open("tests/data/dxil/control_ps_6_0_zi.dxil");
    await explorer.show("source");
    await shows(explorer.text(0), "// Nested control flow");
    await explorer.show("listing");
    await explorer.open("tests/data/dxil/control_ps_6_6_zi.pdb");
    await explorer.show("source");
    await shows(explorer.text(0), "// Nested control flow"); // of the compressed part SRCI
    await shows(explorer.group(0), "SRCI");
  });

  page("source written of a shader, listing and bytes have one selection", async (explorer) => {
    await explorer.open(kPixel);
    await explorer.show("source");
    await shows(explorer.text(0), "albedo.Sample(linearWrap");
    await explorer.text(0).getByText("albedo.Sample(linearWrap").first().click();
    await shows(explorer.selected, /SHEX\/instructions\[\d+\]/);
    await explorer.show("listing");
    await shows(explorer.group(0).locator(".line-selected"), "mul");
    // and from the listing to the source, what is written inside of another statement too
    await explorer.text(0).getByText("lt r").first().click();
    await explorer.show("source");
    await shows(explorer.group(0).locator(".line-selected"), "if (product.w < alphaCutoff) {");
    await explorer.group(0).getByRole("combobox", { name: "Source" }).selectOption("GLSL, decompiled");
    await shows(explorer.text(0), "#version 460");
    await explorer.group(0).getByRole("combobox", { name: "Source" }).selectOption("SPIR-V, translated");
    await shows(explorer.text(0), "OpEntryPoint Fragment");
    await shows(explorer.group(0).locator(".line-selected").first(), "OpFOrdLessThan");
    const { name, bytes } = await explorer.saved(() => explorer.group(0).getByRole("button", { name: "Save textured_ps_5_0.dxbc.spv" }).click());
    assert.equal(name, "textured_ps_5_0.dxbc.spv");
    assert.equal(bytes.readUInt32LE(0), 0x07230203);
  });

  page("a shader whose source cannot be written says why", async (explorer) => {
    await explorer.open("tests/data/dxil/graph_lib_6_8.dxil");
    await explorer.show("source");
    await shows(explorer.group(0), "only the stages of draws and dispatches are run");
  });

  page("two files are compared by meaning, by text and by bytes", async (explorer, page) => {
    await explorer.open(kOlder, kPixel);
    await page.getByRole("button", { name: "textured_ps_5_0.dxbc", exact: true }).click();
    await page.getByRole("button", { name: "Compare with textured_ps_4_0.dxbc" }).click();
    const meaning = page.getByRole("region", { name: "Differences by meaning" });
    await shows(meaning, "They differ in meaning.");
    await shows(meaning, /profile\s*ps_4_0\s*→\s*ps_5_0/);
    await page.getByRole("button", { name: "Text", exact: true }).click();
    await shows(explorer.group(0).locator(".cm-deletedChunk"), "ps_4_0");
    await shows(explorer.group(0).locator(".cm-changedLine"), "ps_5_0");
    await page.getByRole("button", { name: "Bytes", exact: true }).click();
    await shows(explorer.group(0).getByRole("status"), /\d+ bytes removed, \d+ added/);
    await explorer.group(0).getByRole("row").filter({ hasText: "header/digest" }).first().click();
    await shows(explorer.selected, "header/digest");
  });
}
