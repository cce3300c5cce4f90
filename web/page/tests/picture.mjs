// Scenes: drawn, a pixel's history, heat maps, and from a pixel into its invocation.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import test from "node:test";
import { axe, checkout, shows } from "./harness.mjs";

const scenes = "examples/scenes";
const cube = ["cube.toml", "lit.vs.asm", "lit.ps.asm"].map((name) => `${scenes}/${name}`);
const kTriangle = `
[targets.picture]
format = "R32G32B32A32_FLOAT"
width = 4
height = 2
clear = [0.25, 0.5, inf, -1]

[targets.numbers]
format = "R16_UINT"
width = 4
height = 2

[[pass]]
vertex = "color.vs.asm"
pixel = "color.ps.asm"
targets = ["picture"]
mesh.vertices = [
  {POSITION = [0.0, 0.8, 0], COLOR = [1, 0, 0]},
  {POSITION = [0.8, -0.7, 0], COLOR = [0, 1, 0]},
  {POSITION = [-0.8, -0.7, 0], COLOR = [0, 0, 1]},
]
`;

export default function (shared) {
  const page = (name, body, options) => test(name, () => shared.session.withPage(body, options));
  const open = async (page, ...files) => page.setInputFiles("#open-files", files.map((file) => resolve(checkout, file)));
  const pixel = (page) => page.getByRole("status", { name: "Pixel" });
  const history = (page) => page.getByRole("region", { name: "History" });
  const canvas = (page) => page.getByRole("application");
  const click = async (page, x, y) => {
    const { width } = await canvas(page).boundingBox();
    const zoom = Math.round(width / 128);
    await canvas(page).click({ position: { x: x * zoom + zoom / 2, y: y * zoom + zoom / 2 } });
  };

  page("a sample scene is drawn; a clicked pixel has a history with reasons; one click leads into its invocation", async (explorer, page) => {
    await page.getByRole("button", { name: /^Scene: a cube/ }).click();
    await shows(pixel(page), "128 × 128, R8G8B8A8_UNORM_SRGB");
    await click(page, 64, 60);
    await shows(history(page), "Pixel 64, 60 of picture: 2 events");
    await shows(history(page).getByRole("row").nth(1), "written");
    await shows(history(page).getByRole("row").nth(2), "facing");
    await shows(history(page).getByRole("row").nth(2), "culled: this side is not drawn");
    await shows(pixel(page), /64, 60: 0\.1\d+ 0\.05\d+ 0\.01\d+ 1/);
    assert.equal(await page.getByRole("button", { name: "Step through event 2" }).count(), 0);
    await page.getByRole("button", { name: "Step through event 1" }).click();
    await shows(page.getByRole("banner"), "lit.ps.asm@64,60");
    const step = page.getByRole("status", { name: "Step", exact: true });
    await shows(step, "step 0 of 7");
    await shows(step, "dp3 r0.x, v1.xyzx, v1.xyzx");
    await shows(step, "moves follow lane");
    await shows(explorer.group(1), "This wave ran when cube.toml was drawn");
    await page.keyboard.press("F10");
    await shows(page.getByRole("region", { name: "Registers" }), "r0●changed");
    await shows(explorer.text(0).locator(".line-next"), "rsq r0.x, r0.x");
    await page.keyboard.press("Control+Shift+F5");
    await shows(step, "step 0 of 7");
  });

  page("a pixel is chosen by keyboard, and its value told", async (explorer, page) => {
    await open(page, ...cube);
    await shows(pixel(page), "128 × 128");
    await canvas(page).focus();
    await page.keyboard.press("ArrowRight");
    await shows(history(page), "Pixel 65, 64 of picture");
    await page.keyboard.press("Shift+ArrowUp");
    await shows(history(page), "Pixel 65, 56 of picture");
    await page.keyboard.press("Shift+ArrowLeft");
    await shows(pixel(page), /^\s*57, 56: [\d.]+ [\d.]+ [\d.]+ 1\s*$/);
    assert.deepEqual(await axe(page), []);
  });

  page("targets, heat maps, passes and frames", async (explorer, page) => {
    await open(page, ...["shadow.toml", "shadow.vs.asm", "shadow.ps.asm"].map((name) => `${scenes}/${name}`));
    await shows(pixel(page), "128 × 128");
    await page.getByRole("combobox", { name: "target" }).selectOption("shadows");
    await shows(pixel(page), "256 × 256, D32_FLOAT");
    await page.getByRole("combobox", { name: "target" }).selectOption("picture");
    await page.getByRole("combobox", { name: "show" }).selectOption("overdraw");
    await shows(pixel(page), /overdraw: 1 \(violet\) to \d+ \(yellow\), mean 1\.\d+/);
    await canvas(page).hover({ position: { x: 2, y: 2 } });
    await shows(pixel(page), "0, 0: nothing");
    await page.getByRole("button", { name: "Passes" }).click();
    const passes = page.getByRole("region", { name: "Passes" });
    await shows(passes, "depth from the light");
    await shows(passes.getByRole("row").nth(2), "floor");
    await page.getByRole("combobox", { name: "zoom" }).selectOption("4");
    assert.equal((await canvas(page).boundingBox()).width, 512);
    const { name, bytes } = await explorer.saved(() => page.getByRole("button", { name: "Save PNG" }).click());
    assert.equal(name, "shadow_overdraw.png");
    assert.equal(bytes.toString("latin1", 1, 4), "PNG");
    assert.deepEqual(await axe(page), []);
  });

  page("an animation is drawn frame by frame", async (explorer, page) => {
    await open(page, ...cube);
    await shows(pixel(page), "128 × 128");
    await canvas(page).focus();
    await page.keyboard.press("ArrowRight");
    await shows(pixel(page), /65, 64: \d/);
    const before = await pixel(page).textContent();
    await page.getByRole("spinbutton", { name: "frame" }).fill("3");
    await page.keyboard.press("Enter");
    for (let tries = 0; tries < 100 && (await pixel(page).textContent()) === before; ++tries) await page.waitForTimeout(50);
    await shows(pixel(page), /65, 64: \d/);
    assert.notEqual(await pixel(page).textContent(), before);
  });

  page("a pasted scene tells the files that it lacks, is edited and drawn again", async (explorer, page) => {
    await page.keyboard.press("p");
    await page.getByRole("textbox", { name: /^Hexadecimal/ }).fill(kTriangle);
    await page.getByRole("button", { name: "Open", exact: true }).last().click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const picture = page.getByRole("region", { name: "Picture" });
    await shows(picture, "color.vs.asm");
    await shows(picture, "color.ps.asm");
    await open(page, `${scenes}/color.vs.asm`, `${scenes}/color.ps.asm`);
    await page.getByRole("region", { name: "Files" }).getByRole("button", { name: "pasted.toml", exact: true }).click();
    await page.getByRole("button", { name: "Draw", exact: true }).click();
    await shows(pixel(page), "4 × 2, R32G32B32A32_FLOAT");
    await canvas(page).hover({ position: { x: 1, y: 1 } });
    await shows(pixel(page), "0, 0: 0.25 0.5 Infinity -1");
    await page.getByRole("combobox", { name: "target" }).selectOption("numbers");
    await shows(pixel(page), /0, 0: 0\s*$|4 × 2, R16_UINT/);
    await canvas(page).hover({ position: { x: 1, y: 1 } });
    await shows(pixel(page), /0, 0: 0\s*$/);

    await page.getByRole("button", { name: "Scene", exact: true }).click();
    await explorer.text(0).click();
    await page.keyboard.press("Control+A");
    await page.keyboard.insertText(kTriangle.replace("0.25", "0.75"));
    await page.getByRole("button", { name: "Draw", exact: true }).click();
    await page.getByRole("combobox", { name: "target" }).selectOption("picture");
    await canvas(page).hover({ position: { x: 1, y: 1 } });
    await shows(pixel(page), "0, 0: 0.75 0.5 Infinity -1");
    await shows(page.getByRole("banner"), "edited");

    for (const [wrong, told] of [
      ["[[pass]\n", /not drawn: line \d+, column \d+/],
      [kTriangle.replace("R16_UINT", "R16_NOTHING"), /not drawn: targets\/numbers\/format/],
    ]) {
      await explorer.text(0).click();
      await page.keyboard.press("Control+A");
      await page.keyboard.insertText(wrong);
      await page.getByRole("button", { name: "Draw", exact: true }).click();
      await shows(picture, told);
    }
  });

  page("the pictures are those of the command", async (explorer, page) => {
    await open(page, ...["triangle.toml", "color.vs.asm", "color.ps.asm"].map((name) => `${scenes}/${name}`));
    await shows(pixel(page), /\d+ × \d+/);
    const { bytes } = await explorer.saved(() => page.getByRole("button", { name: "Save PNG" }).click());
    const expected = readFileSync(resolve(checkout, `${scenes}/triangle.png`));
    const pixels = await page.evaluate(async (files) => {
      const all = [];
      for (const file of files) {
        const bitmap = await createImageBitmap(new Blob([new Uint8Array(file)], { type: "image/png" }), { colorSpaceConversion: "none" });
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
        canvas.getContext("2d").drawImage(bitmap, 0, 0);
        all.push([bitmap.width, bitmap.height, ...canvas.getContext("2d").getImageData(0, 0, bitmap.width, bitmap.height).data].join(" "));
      }
      return all;
    }, [[...bytes], [...expected]]);
    assert.equal(pixels[0], pixels[1]);
  });
}
