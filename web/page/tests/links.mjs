// Links whose fragment carries the file.
import assert from "node:assert/strict";
import test from "node:test";
import { shows } from "./harness.mjs";

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

  page("a link that was cut says so", async (explorer, page) => {
    await explorer.go("#v1&n=cut.cso&z=AAAA");
    await shows(explorer.news, "The file in this link is damaged");
  });
}
