// Runs: cases as fields and as text, and stepping by keyboard and by mouse.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { checkout, shows } from "./harness.mjs";

const kPixel = "tests/data/dxbc/textured_ps_5_0.dxbc";
const kControl = "tests/data/dxbc/control_ps_5_0.dxbc";
const kGrid = "tests/data/dxbc/grid_cs_5_0.dxbc";

export default function (shared) {
  const page = (name, body, options) => test(name, () => shared.session.withPage(body, options));
  const results = (page) => page.getByRole("region", { name: "Results" });
  const step = (page) => page.getByRole("status", { name: "Step", exact: true });
  const registers = (page) => page.getByRole("region", { name: "Registers" });
  const lane = (page, number) => page.getByRole("listbox").getByRole("option", { name: new RegExp(`^lane ${number},`) });
  /** The line of the instruction at an offset, brought into view. */
  const line = async (explorer, offset, text) => {
    await explorer.goTo(offset);
    await shows(explorer.group(0).locator(".line-selected"), text);
    return explorer.group(0).locator(".line-selected");
  };
  /** Fills a field of the case, as its user does. */
  const fill = async (page, name, text) => {
    const field = page.getByRole("textbox", { name, exact: true });
    await field.fill(text);
    await page.keyboard.press("Enter");
  };

  page("a shader runs on the inputs that reflection suggests, and on those typed", async (explorer, page) => {
    await explorer.open(kPixel);
    await explorer.show("run");
    await page.getByRole("textbox", { name: "alphaCutoff", exact: true }).waitFor();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await shows(results(page), "SV_Target1");
    await shows(explorer.group(0).getByRole("status").first(), /finished, \d+ operations/);
    await page.getByRole("group", { name: "The case as" }).getByRole("button", { name: "Text" }).click();
    await shows(explorer.text(0), '"alphaCutoff"');
    await explorer.text(0).click();
    await page.keyboard.press("Control+A");
    await page.keyboard.type('{"constants": {"nothing": 1');
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await shows(results(page), "not run");
    await page.getByRole("button", { name: "Reset the case" }).click();
    await shows(explorer.text(0), '"alphaCutoff"');
  });

  page("a case is edited by fields with their types, and text and fields agree", async (explorer, page) => {
    await explorer.open(kControl);
    await explorer.show("run", 1);
    const fields = page.getByRole("region", { name: "Case" });
    await shows(fields, "Params");
    await shows(fields, "float4[16]");
    await fill(page, "count", "3");
    await fill(page, "table[1]", "0.5 -2, 8 1");
    await fill(page, "COLOR of lane 1", "inf 0 0 0");
    await fill(page, "COLOR of lane 2", "0 0 0 8");
    await fill(page, "mode", "many");
    assert.equal(await page.getByRole("textbox", { name: "mode", exact: true }).getAttribute("aria-invalid"), "true");
    await fields.getByRole("button", { name: "Add a lane" }).click();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await shows(results(page).locator("tbody tr").nth(2), "2");
    assert.equal(await results(page).locator("tbody tr").count(), 5);
    await shows(results(page).locator("tbody tr").nth(0), "-0.75");
    await shows(results(page).locator("tbody tr").nth(1), "inf");
    await page.getByRole("button", { name: "Text", exact: true }).click();
    await shows(explorer.text(1), '"count": 3');
    await shows(explorer.text(1), "[0.5, -2, 8, 1]");
    await shows(explorer.text(1), '"mode": 0');
  });

  page("of several entry points of one name each is chosen with its stage, and has its own inputs", async (explorer, page) => {
    await explorer.open("tests/data/vbc/textured.vbc");
    await explorer.show("run", 1);
    const entry = page.getByRole("combobox", { name: "Entry point" });
    assert.deepEqual(await entry.locator("option").allTextContents(), ["main:vertex", "main:pixel"]);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await shows(results(page), "gl_Position");
    await entry.selectOption("main:pixel");
    assert.equal(await entry.locator("option:checked").textContent(), "main:pixel");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await shows(results(page), /^(?!.*gl_Position).*colour/s);
    await page.getByRole("button", { name: "Text", exact: true }).click();
    await shows(explorer.text(1), '"entry": "main:pixel"');
  });

  page("the case to begin with runs, of cubes too, and of each executable with its own uniforms", async (explorer, page) => {
    await explorer.open("tests/data/dxil/textured_ps_6_6.dxil");
    await explorer.show("run", 1);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await shows(results(page), "SV_Target");
    await explorer.command("Close the file");
    await explorer.open("tests/data/pica/skin_quad.shbin");
    await explorer.show("run", 1);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await shows(results(page), "Lanes");
    await page.getByRole("combobox", { name: "Entry point" }).selectOption("main:geometry");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await shows(results(page), "Vertices");
  });

  page("stepping by keyboard: there, back, over, to a line, to breakpoints; registers and lanes follow", async (explorer, page) => {
    await explorer.open(kControl);
    await explorer.show("run", 1);
    await fill(page, "count", "3");
    await fill(page, "table[0]", "1 2 3 4");
    await explorer.tree.focus();
    await page.keyboard.press("F10");
    await shows(step(page), "step 0 of");
    await shows(registers(page), "Nothing was written yet.");
    await shows(step(page), "mov r0.x, v1.xxxx");
    await page.keyboard.press("F10");
    await shows(registers(page).getByRole("row", { name: /^r0\.x/ }), "changed");
    await page.keyboard.press("F10");
    await shows(step(page), "step 2 of");
    await shows(step(page), "mov r2.xyzw, cb0[1].xyzw");
    await shows(explorer.text(0).locator(".line-next"), "mov r2.xyzw, cb0[1].xyzw");
    await page.keyboard.press("F10");
    await shows(step(page), "step 3 of");
    const r2y = registers(page).getByRole("row", { name: /^r2\.y/ });
    await shows(r2y, /^r2\.y●changeduint(1073741824){4}$/);
    await page.getByRole("combobox", { name: "read" }).selectOption("hex");
    await shows(r2y, "0x40000000");
    await page.getByRole("combobox", { name: "read" }).selectOption("float");
    await shows(r2y, /^r2\.y●changed2222$/);
    await explorer.tree.focus();
    await page.keyboard.press("F10");
    await shows(registers(page).getByRole("row", { name: /^r3\.x/ }), "changed");
    assert.doesNotMatch(await registers(page).getByRole("row", { name: /^r2\.y/ }).textContent(), /changed/);
    await shows(explorer.selected, "SHDR/instruction");
    await page.keyboard.press("Shift+F10");
    await shows(step(page), "step 3 of");
    assert.equal(await registers(page).getByRole("row", { name: /^r3\.x/ }).count(), 0);

    // The line that is selected now comes next: select another, and go on to it.
    await (await line(explorer, "0x578", "ieq r20.y, r20.xxxx, r0.xxxx")).click();
    await page.keyboard.press("Control+F10");
    await shows(step(page), "ieq r20.y, r20.xxxx, r0.xxxx");
    await shows(step(page), "4 of 4 lanes active");
    await page.keyboard.press("F10");
    await shows(step(page), "2 of 4 lanes active");
    const active = await page.getByRole("listbox").getByRole("option").evaluateAll((lanes) => lanes.map((lane) => lane.getAttribute("aria-label")));
    assert.equal(active.filter((label) => label.endsWith(", active")).length, 2);
    assert.equal(active.filter((label) => label.endsWith(", inactive")).length, 2);

    await page.keyboard.press("F9");
    const number = /line (\d+):/.exec(await step(page).textContent())[1];
    await shows(explorer.news, `Breakpoint at line ${number}.`);
    await shows(explorer.group(0).locator(".cm-breakpoints"), "●▶");
    await page.keyboard.press("F5");
    await shows(step(page), `line ${number}:`);
    const second = Number(/step (\d+) of/.exec(await step(page).textContent())[1]);
    await page.keyboard.press("Shift+F5");
    const moved = await shows(step(page), new RegExp(`step (?!${second} of)\\d+ of`));  // it was at this line before
    assert.ok(moved.includes(`line ${number}:`));
    assert.ok(Number(/step (\d+) of/.exec(moved)[1]) < second);
    await page.keyboard.press("F9");
    await page.keyboard.press("F5");
    await shows(step(page), "no breakpoint comes: this is the end");
    await page.keyboard.press("Control+Shift+F5");
    await shows(step(page), "step 0 of");
    await page.keyboard.press("Shift+F11");
    await shows(results(page), "SV_Target");
  });

  page("stepping by mouse: breakpoints in the gutter, one lane's vectors, watched registers", async (explorer, page) => {
    await explorer.open(kControl);
    await explorer.show("run", 1);
    await fill(page, "count", "2");
    await fill(page, "table[0]", "1 2 3 4");
    const wanted = await line(explorer, "0x578", "ieq r20.y, r20.xxxx, r0.xxxx");
    const box = await wanted.boundingBox();
    const gutter = await explorer.group(0).locator(".cm-breakpoints").boundingBox();
    await page.mouse.click(gutter.x + 5, box.y + box.height / 2);
    await shows(explorer.group(0).locator(".cm-breakpoints .sign:visible").last(), "●");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await shows(step(page), "ieq r20.y, r20.xxxx, r0.xxxx");
    await page.getByRole("button", { name: "Step", exact: true }).click();
    await lane(page, 1).click();
    await shows(registers(page), "lane 1");
    await page.getByRole("combobox", { name: "read" }).selectOption("float");
    await shows(registers(page).getByRole("row", { name: /^r2 / }), /^r21234$/);
    await shows(registers(page).getByRole("row", { name: /^r20\b/ }), /^r20●changed00$/);
    await page.getByRole("textbox", { name: "Watch" }).fill("r2 r19.z");
    await shows(registers(page).locator("tbody tr").nth(0), "r2");
    await shows(registers(page).locator("tbody tr").last(), "r20");
    await page.getByRole("button", { name: "Over", exact: true }).click();
    await shows(step(page), /line \d+: (?!if_nz r20)/);
    await page.getByRole("button", { name: /^Remove the breakpoint/ }).click();
    await page.getByRole("button", { name: "Breakpoint ▶" }).click();
    await shows(step(page), "this is the end");
    await page.getByRole("button", { name: "Back", exact: true }).click();
    await shows(step(page), "mov o0.xyzw, r0.xyzw");
    await page.getByRole("button", { name: "End", exact: true }).click();
    await shows(results(page), "SV_Target");
  });

  page("a breakpoint at a line that is not executable stops after it, and says so", async (explorer, page) => {
    await explorer.open("tests/data/dxbc/control_ps_4_0.dxbc");
    await explorer.show("run", 1);
    await explorer.tree.focus();
    await explorer.command("Breakpoint at the selected line");
    await shows(explorer.news, "Select a line of the listing for a breakpoint.");
    const text = await explorer.textOf("Listing");
    const lines = text.split("\n");
    const endif = lines.findLastIndex((each) => each.trim() === "endif") + 1; // what comes before may be jumped over
    const ret = lines.findIndex((each) => each.trim() === "ret") + 1;
    for (const each of [endif, ret]) {
      await page.keyboard.press("Control+Home");
      for (let at = 1; at < each; ++at) await page.keyboard.press("ArrowDown");
      await page.keyboard.press("F9");
      await shows(explorer.news, `Breakpoint at line ${each}.`);
    }
    await page.keyboard.press("F5");
    const stop = endif + 1;
    await shows(step(page), `line ${stop}:`);
    assert.equal(lines[stop - 1].trim(), (await step(page).locator("code").textContent()).trim());
    await shows(page.getByRole("button", { name: `Remove the breakpoint at line ${endif}` }), `${endif} → ${stop}`);
    await shows(page.getByRole("button", { name: `Remove the breakpoint at line ${ret}` }), "no step follows");
    const signs = explorer.group(0).locator(".cm-breakpoints .sign:visible");
    await shows(signs.filter({ hasText: "○" }), "○");
    assert.equal(await signs.filter({ hasText: "○" }).first().getAttribute("title"), `breakpoint: this line is not executable; stops at line ${stop}`);
  });

  page("stepping goes on to the next NaN", async (explorer, page) => {
    await explorer.open(kControl);
    await explorer.show("run", 1);
    await fill(page, "COLOR of lane 3", "nan 0 0 0");
    await explorer.tree.focus();
    await page.keyboard.press("Control+F9");
    await shows(registers(page).getByRole("row", { name: /^r1\.x/ }), /changed.*nan$/);
    await page.getByRole("textbox", { name: "COLOR of lane 3", exact: true }).fill("0");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+Shift+F5");
    await shows(step(page), "step 0 of");
    await page.keyboard.press("Control+F9");
    await shows(step(page), "neither NaN nor infinity comes");
  });

  page("all waves of a group are there, and each is followed", async (explorer, page) => {
    await explorer.open(kGrid);
    await explorer.show("run", 1);
    await fill(page, "Thread groups", "2 1 1");
    await page.getByRole("button", { name: "Step", exact: true }).click();
    await shows(step(page), "32 of 32 lanes active");
    assert.equal(await page.getByRole("listbox").getByRole("option").count(), 32);
    const lanes = page.getByRole("region", { name: "Lanes" });
    await lanes.getByRole("button", { name: /^Wave 1, \d+ steps/ }).click();
    await shows(lanes.getByRole("listbox"), "31");
    assert.equal(await page.getByRole("listbox").getAttribute("aria-label"), "Lanes of wave 1");
    const select = page.getByRole("combobox", { name: "Wave" });
    await shows(select.locator("option").last(), "group 1, 0, 0, wave 1");
    await select.selectOption({ label: (await select.locator("option").last().textContent()).trim() });
    await shows(step(page), "step 0 of");
    await page.getByRole("listbox").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await shows(page.getByRole("listbox").locator("[aria-selected=true]"), /^8$/);
  });

  page("shaders of every family are stepped through", async (explorer, page) => {
    for (const file of ["tests/data/dxil/bitonic_cs_6_0.dxil", "tests/data/pica/control.v.shbin"]) {
      await explorer.open(file);
      await explorer.show("run", 1);
      await page.getByRole("button", { name: "Step", exact: true }).click();
      await shows(step(page), "step 0 of");
      await page.keyboard.press("F10");
      await page.keyboard.press("F10");
      await shows(step(page), /step 2 of \d+, line \d+: \S/);
      await shows(explorer.text(0).locator(".line-next"), /\S/);
    }
  });

  page("geometry, hull, domain, mesh and amplification shaders run and are stepped through", async (explorer, page) => {
    for (const [name, told] of [
      ["expand_gs_6_0", "Vertices"],
      ["tessellate_hs_6_5", "Lanes"],
      ["tessellate_ds_6_0", "Lanes"],
      ["mesh_ms_6_5", "Primitives"],
      ["mesh_as_6_5", "Groups"],
    ]) {
      await explorer.open(`tests/data/dxil/${name}.dxil`);
      await explorer.show("run", 1);
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await shows(results(page), told);
      await explorer.tree.focus();
      await page.keyboard.press("F10");
      await page.keyboard.press("F10");
      await shows(step(page), /step 1 of \d+/);
      await explorer.command("Close the file");
    }
  });

  page("registers have their own names and types in every family", async (explorer, page) => {
    const text = async () => (await registers(page).locator("tbody tr").allTextContents()).join("\n");
    for (const [file, steps, expected] of [
      ["tests/data/dxil/textured_ps_6_6.dxil", 30, [/%9uint/, /%10bool/]],
      ["tests/data/vbc/textured.vbc", 12, [/%16uint/, /%34\.0float/]],
      ["tests/data/pica/control.v.shbin", 6, [/r0\.xfloat/]],
      [kControl, 12, [/r2\.xuint/]],
    ]) {
      await explorer.open(file);
      await explorer.show("run", 1);
      await explorer.tree.focus();
      for (let at = 0; at <= steps; ++at) await page.keyboard.press("F10");
      await shows(step(page), `step ${steps} of`);
      for (const each of expected) assert.match(await text(), each);
      await explorer.command("Close the file");
    }
  });

  page("a file of several stages has fields, one that cannot be read says why", async (explorer, page) => {
    await explorer.open("tests/data/vbc/textured.vbc");
    await explorer.show("run", 1);
    await shows(page.getByRole("region", { name: "Case" }), "position");
    await explorer.openBytes("cut.vbc", readFileSync(join(checkout, "tests/data/vbc/textured.vbc")).subarray(0, 1942));
    await shows(explorer.group(1), "cannot run");
    const button = explorer.group(1).getByRole("button", { name: "Show the byte" });
    assert.ok((await button.boundingBox()).height < 40);
    await button.click();
    await shows(explorer.selected, /^0x/);
  });

  page("a case that does not fit says where", async (explorer, page) => {
    await explorer.open(kControl);
    await explorer.show("run", 1);
    await fill(page, "table[3]", "1 2 3 4 5");
    await explorer.tree.focus();
    await page.keyboard.press("F10");
    await shows(results(page), "not run");
    await shows(results(page), "found 5 numbers, expected at most 4");
  });
}
