#!/usr/bin/env node
// The pictures of docs/howto/explore.md, or those of these names: pictures.mjs FOLDER OUTPUT [NAME...]
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { zipOf } from "../../../tests/web/packed.mjs";
import { checkout, serve, Session, shows } from "./harness.mjs";

const [folder, output, ...names] = process.argv.slice(2);
const server = await serve(resolve(folder));
const session = await Session.start(server.address);
const kPixel = "tests/data/dxbc/textured_ps_5_0.dxbc";
const size = { width: 1560, height: 940 };

const pictures = {
  async explore(explorer, page) {
    await explorer.open(kPixel);
    await explorer.goTo("SHDR/instruction[22]/operand[1]/operand_token");
    await shows(explorer.text(0), "mov r4.x");
    await shows(explorer.details, "swizzle");
    await page.mouse.move(700, 20);
  },
  async explore_reflection(explorer, page) {
    await explorer.open(kPixel);
    await explorer.show("reflection");
    await page.getByRole("button", { name: "alphaCutoff" }).click();
    await page.mouse.move(700, 20);
  },
  async explore_steps(explorer, page) {
    await explorer.open("tests/data/dxbc/control_ps_5_0.dxbc");
    await explorer.show("run", 1);
    await page.getByRole("textbox", { name: "count", exact: true }).fill("3");
    await page.keyboard.press("Enter");
    await explorer.goTo("0x578");
    await page.keyboard.press("F9");
    await page.keyboard.press("F5");
    for (let i = 0; i < 8; ++i) await page.keyboard.press("F10");
    await shows(page.getByRole("status", { name: "Step", exact: true }), "2 of 4 lanes active");
    await page.mouse.move(700, 20);
  },
  async explore_picture(explorer, page) {
    await page.getByRole("button", { name: /^Scene: a cube/ }).click();
    await shows(page.getByRole("status", { name: "Pixel" }), "128 × 128");
    await page.keyboard.press("\\");
    await page.getByRole("application").click({ position: { x: 190, y: 180 } });
    await shows(page.getByRole("region", { name: "History" }), "facing");
    await page.mouse.move(700, 20);
  },
  async explore_archive(explorer, page) {
    const samples = ["dxbc/textured_ps_5_0.dxbc", "dxbc/lit_vs_5_0.dxbc", "dxbc/grid_cs_5_0.dxbc", "dxil/control_ps_6_0_zi.dxil", "spirv/odd.spv"];
    const members = samples.map((name, i) => [`shaders/${["water", "water", "terrain", "sky", "sky"][i]}/${name.split("/").at(-1)}`, readFileSync(resolve(checkout, "tests/data", name))]);
    const { bytes, places } = zipOf([...members, ["shaders/old/water.cso", members[0][1]], ["backup/lit.dxbc", members[1][1]]]);
    bytes.fill(0xff, places[5], places[5] + 40);
    await explorer.openBytes("game.zip", bytes);
    const found = page.getByRole("region", { name: "Shaders found" });
    await shows(found.getByRole("status"), "5 shaders at 6 places");
    await found.getByRole("list", { name: "What could not be unpacked" }).getByRole("button").click();
    await page.mouse.move(700, 20);
  },
};

try {
  for (const [name, arrange] of Object.entries(pictures)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const colorScheme = name === "explore_reflection" ? "dark" : "light";
    await session.withPage(
      async (explorer, page) => {
        await arrange(explorer, page);
        await page.waitForTimeout(800);
        await page.screenshot({ path: join(output, `${name}.png`) });
      },
      { viewport: size, colorScheme },
    );
  }
} finally {
  await session.close();
  server.close();
}
