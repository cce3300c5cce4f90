#!/usr/bin/env node
// The pictures of docs/howto/explore.md: pictures.mjs FOLDER OUTPUT
import { join, resolve } from "node:path";
import { serve, Session, shows } from "./harness.mjs";

const [folder, output] = process.argv.slice(2);
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
};

try {
  for (const [name, arrange] of Object.entries(pictures)) {
    const colorScheme = name === "explore" ? "light" : "dark";
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
