// When the library itself fails: a trap ends its instance, not the page.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { zipOf } from "../../../tests/web/packed.mjs";
import { shows } from "./harness.mjs";

const kPixel = "tests/data/dxbc/textured_ps_5_0.dxbc";
const kVertex = "tests/data/pica/skin.v.shbin";

/** The WebAssembly with an exported function that does nothing but trap. Its body keeps its size. */
function withTrap(bytes, name) {
  const wasm = Buffer.from(bytes);
  let at = 8;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = wasm[at++];
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  const text = () => {
    const size = number();
    return wasm.toString("utf8", at, (at += size));
  };
  let imported = 0;
  let wanted = -1;
  while (at < wasm.length) {
    const id = wasm[at++];
    const size = number();
    const end = at + size;
    if (id === 2) {
      for (let i = number(); i > 0; --i) {
        text();
        text();
        assert.equal(wasm[at++], 0, "only functions are imported");
        number();
        ++imported;
      }
    } else if (id === 7) {
      for (let i = number(); i > 0; --i) {
        const exported = text();
        const kind = wasm[at++];
        const index = number();
        if (kind === 0 && exported === name) wanted = index;
      }
    } else if (id === 10) {
      for (let i = number(), function_ = imported; i > 0; --i, ++function_) {
        const body = number();
        if (function_ === wanted) {
          wasm.fill(0x01, at, at + body);  // nop
          wasm[at] = 0;                    // no locals
          wasm[at + 1] = 0;                // unreachable
          wasm[at + body - 1] = 0x0b;      // end
          return wasm;
        }
        at += body;
      }
    }
    at = end;
  }
  throw new Error(`no function ${name}`);
}

export default function (shared) {
  const trapped = (name, exported, body, isOfFiles = false) =>
    test(name, { skip: shared.folder === null }, () =>
      shared.session.withPage(async (explorer, page) => {
        const assets = join(shared.folder, "assets");
        const file = readdirSync(assets).find((each) => each.endsWith(".wasm") && each.startsWith("unshade-files") === isOfFiles);
        const wasm = withTrap(readFileSync(join(assets, file)), exported);
        await page.context().route(`**/${file}`, (route) => route.fulfill({ body: wasm, contentType: "application/wasm" }));
        await explorer.go();
        await body(explorer, page);
      }, { serviceWorkers: "block" }));

  trapped("a trap names the file, and the page goes on", "unshade_list", async (explorer, page) => {
    await explorer.open(kPixel);
    await shows(explorer.group(0), "The reader stopped at textured_ps_5_0.dxbc");
    await explorer.byte(0x51).click();
    await shows(explorer.selected, "ISGN/elements[0]/component_type, float");
    await explorer.open(kVertex);
    await shows(explorer.group(0), "The reader stopped at skin.v.shbin");
    await shows(explorer.tree, "program");
  });

  trapped("a trap of the reader of fields leaves the listing", "unshade_shader_annotate", async (explorer, page) => {
    await page.setInputFiles("#open-files", { name: "hostile.cso", mimeType: "", buffer: readFileSync(new URL(`../../../${kPixel}`, import.meta.url)) });
    await shows(page.getByRole("complementary", { name: "Files and fields" }), "The reader stopped at hostile.cso");
    await shows(explorer.text(0), "cbuffer Material");
  });

  trapped("a trap of what opens archives is told, and the page goes on", "unshade_unpack_file", async (explorer, page) => {
    await explorer.openBytes("hostile.zip", zipOf([["lit.cso", readFileSync(new URL(`../../../${kPixel}`, import.meta.url))]]).bytes);
    const found = page.getByRole("region", { name: "Shaders found" });
    await shows(found.getByRole("alert"), "The reader stopped at hostile.zip: a fault of unshade");
    await found.getByRole("button", { name: "Search again" }).waitFor();
    await explorer.open(kPixel);
    await shows(explorer.text(0), "cbuffer Material");
  }, true);
}
