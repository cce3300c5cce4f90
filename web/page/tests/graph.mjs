// The control-flow graph, linked with the other panes.
import assert from "node:assert/strict";
import test from "node:test";
import { shows } from "./harness.mjs";

export default function (shared) {
  const page = (name, body, options) => test(name, () => shared.session.withPage(body, options));

  page("blocks of the graph are bytes and lines, and the reverse", async (explorer, page) => {
    await explorer.open("tests/data/dxbc/control_ps_5_0.dxbc");
    await explorer.show("graph", 1);
    const graph = page.getByRole("region", { name: "Control-flow graph" });
    await shows(explorer.group(1).getByRole("status"), /15 blocks, \d+ edges/);
    await graph.locator('[role="button"][data-block="1"]').click({ position: { x: 20, y: 30 } });
    await shows(explorer.selected, "0x508, 84 bytes");
    await shows(explorer.text(0).locator(".line-selected"), "loop");
    assert.equal(await explorer.text(0).locator(".line-selected").count(), 5);
    await explorer.text(0).locator(".cm-line", { hasText: "if_nz r19.wwww" }).first().click();
    assert.equal(await graph.locator(".block.current").count(), 1);
    assert.equal(await graph.locator(".block.current").getAttribute("data-block"), "1");
  });

  page("the graph is read by keyboard and as a list, folds, and is saved", async (explorer, page) => {
    await explorer.open("tests/data/dxbc/control_ps_5_0.dxbc");
    await explorer.show("graph", 1);
    const graph = page.getByRole("region", { name: "Control-flow graph" });
    const status = explorer.group(1).getByRole("status");
    await shows(status, "15 blocks");
    await graph.locator('[role="button"][data-block="1"]').focus();
    await page.keyboard.press("Enter");
    await shows(explorer.selected, "0x508, 84 bytes");
    await page.keyboard.press("f");
    await shows(graph, "more folded");
    assert.ok(parseInt(await status.textContent(), 10) < 15);
    await explorer.group(1).getByRole("button", { name: "List" }).click();
    await shows(page.getByRole("region", { name: "Blocks" }), /B0\s*\d+ instructions → /);
    const { name, bytes } = await explorer.saved(() => explorer.group(1).getByRole("button", { name: "Save SVG" }).click());
    assert.equal(name, "control_ps_5_0.dxbc.svg");
    assert.match(bytes.toString(), /^(<\?xml[^>]*>\s*)?<svg/);
  });

  page("blocks of DXIL are lines of its listing", async (explorer, page) => {
    await explorer.open("tests/data/dxil/bitonic_cs_6_0.dxil");
    await explorer.show("graph", 1);
    const graph = page.getByRole("region", { name: "Control-flow graph" });
    await graph.locator(".block").nth(1).click({ position: { x: 20, y: 30 } });
    await shows(explorer.text(0).locator(".line-selected"), /\S/);
    assert.equal(await graph.locator(".block.current").count(), 1);
  });
}
