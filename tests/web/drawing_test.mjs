// Scenes are drawn to the bit as natively, and tell the same of their passes, pixels and heat; a pixel's shader can be stepped through.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { bytesOf, errorOf, module, native } from "./support.mjs";

const unshade = await module.load();
const folder = "examples/scenes";
const scenes = readdirSync(folder).filter((name) => name.endsWith(".toml") && !name.endsWith(".test.toml"));
const ddsHeader = 148; // with that of DX10
const made = mkdtempSync(join(tmpdir(), "unshade-drawing-"));
after(() => rmSync(made, { recursive: true }));

function jsonOf(toml) {
  const script = "import json, sys, tomllib; json.dump(tomllib.load(open(sys.argv[1], 'rb')), sys.stdout)";
  const { status, stdout, stderr } = spawnSync("python3", ["-c", script, toml], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return stdout;
}
/** The scene with its files. */
function loaded(name) {
  const scene = unshade.scene(jsonOf(join(folder, name)), name);
  for (const file of scene.missingFiles) scene.setFile(file, bytesOf(join(folder, file)));
  assert.deepEqual(scene.missingFiles, []);
  return scene;
}
function nativeJson(name, ...parameters) {
  const { status, stdout, stderr } = native("draw", join(folder, name), "--json", ...parameters);
  assert.equal(status, 0, stderr.toString());
  return JSON.parse(stdout.toString());
}
/** What the command writes of a target. */
function nativePixels(name, target, ...parameters) {
  const file = join(made, "target.dds");
  const { status, stderr } = native("draw", join(folder, name), "--target", target, "-o", file, ...parameters);
  assert.equal(status, 0, stderr.toString());
  return new Uint8Array(readFileSync(file)).subarray(ddsHeader);
}

for (const name of scenes) {
  test(`${name} has the same bits`, () => {
    const scene = loaded(name);
    for (const frame of new Set([0, scene.frames - 1])) {
      const which = frame === 0 && scene.frames === 1 ? [] : ["--frame", String(frame)];
      const drawing = scene.draw({ frame });
      assert.deepEqual(drawing.info({ resources: true }), nativeJson(name, "--resources", ...which));
      for (const target of drawing.targets) {
        const stored = drawing.pixels("stored", target.name);
        assert.ok(Buffer.from(nativePixels(name, target.name, ...which)).equals(stored), target.name);
        assert.equal(drawing.pixels("float", target.name).length, target.width * target.height * target.layers * 4);
      }
      const shown = drawing.targets.find(({ isShown }) => isShown);
      assert.equal(drawing.pixels().length, shown.width * shown.height * 4);
      const [x, y] = [shown.width / 2, shown.height / 2].map(Math.floor);
      assert.deepEqual(drawing.history({ x, y }), nativeJson(name, "--history", `${x},${y}`, ...which).history);
      for (const kind of ["overdraw", "instructions"]) {
        const heat = drawing.heat(kind);
        assert.deepEqual(heat.info, nativeJson(name, "--heat", kind, ...which).heat);
        assert.equal(heat.numbers.filter((number) => number >= 0).length, heat.info.pixels);
        assert.equal(heat.colors.length, 4 * heat.numbers.length);
      }
      drawing.free();
    }
    scene.free();
  });
}

test("every scene was looked at", () => assert.ok(scenes.length > 8, String(scenes)));

test("a pixel leads to its shader", () => {
  const drawing = loaded("cube.toml").draw();
  const place = { x: 64, y: 64 };
  const written = drawing.history(place).find(({ fate }) => fate === "written");
  const [traced] = drawing.history({ ...place, event: written.event });
  assert.ok(traced.trace.length > 3);
  const stepper = drawing.step({ ...place, event: written.event });
  const begin = stepper.state();
  assert.equal(begin.position, 0);
  const { lane } = begin;
  assert.ok(begin.next.active.includes(lane));
  // the steps of the lane are those of its trace
  const steps = [];
  for (let state = begin; state.next !== null; state = stepper.state()) {
    steps.push(state.next.instruction);
    stepper.step();
  }
  assert.deepEqual(
    steps,
    traced.trace.map(({ instruction }) => instruction),
  );
  // what the trace computed last is what its registers hold
  const registers = new Map(stepper.state().registers.map(({ name, lanes }) => [name, lanes[lane]]));
  const last = new Map();
  for (const { lanes } of traced.trace) for (const [key, value] of Object.entries(lanes[0] ?? {})) last.set(key, value);
  last.delete("lane");
  let compared = 0;
  for (const [key, value] of last) {
    if (!registers.has(key)) continue;
    assert.equal(registers.get(key), value, key);
    compared += 1;
  }
  assert.ok(compared > 3);
  assert.equal(stepper.step(), false);
  assert.ok(stepper.step(-1));
  assert.equal(stepper.state().next.instruction, steps.at(-1));
  assert.equal(errorOf(() => stepper.result()).code, "missing");
  const listing = unshade.open(stepper.file).listing().text.split("\n");
  assert.equal(listing[begin.next.line - 1].trim().startsWith(begin.next.text.split(" ")[0]), true);
  stepper.followLane(null);
  stepper.step(-1000);
  assert.equal(stepper.runTo([begin.next.line, begin.next.line + 1]), true);
});

test("a run is stepped through", () => {
  const path = "tests/data/dxbc/control_ps_4_0.dxbc";
  const shader = unshade.open(bytesOf(path), path);
  const stepper = shader.step();
  assert.deepEqual(stepper.result().lanes, shader.run().lanes);
  assert.deepEqual(stepper.file, shader.bytes);
  assert.equal(stepper.step(3), true);
  const third = stepper.state();
  assert.equal(third.position, 3);
  assert.ok(third.registers.some(({ changed }) => changed));
  assert.equal(stepper.over(), true);
  assert.equal(stepper.runTo([third.next.line], { backwards: true }), true);
  assert.deepEqual(stepper.state().next, third.next);
  assert.equal(stepper.stopLine(third.next.line), third.next.line);
  const lines = shader.listing().text.split("\n");
  const endif = lines.findIndex((line) => line.trim().startsWith("endif")) + 1;
  assert.ok(stepper.stopLine(endif) > endif);
  assert.equal(stepper.stopLine(lines.length), null);
  assert.equal(stepper.follow(99), false);
  assert.equal(stepper.runToOdd(), false);
  assert.equal(errorOf(() => stepper.followLane(128)).code, "invalid-argument");
  stepper.free();
  assert.equal(errorOf(() => stepper.state()).code, "invalid-argument");
});

test("says what is wrong", () => {
  const error = errorOf(() => unshade.scene({ pass: [{ vertex: "a.cso" }] }, "a.json").draw());
  assert.equal(error.code, "missing");
  assert.equal(error.path, "pass[0]/vertex");
  assert.equal(error.file, "a.json");
  assert.equal(errorOf(() => unshade.scene("{")).code, "bad-value");
  const scene = loaded("cube.toml");
  assert.equal(errorOf(() => scene.draw({ frame: 5000 })).code, "invalid-argument");
  assert.equal(errorOf(() => scene.draw({ operations: 10 })).code, "limit");
  const drawing = scene.draw();
  assert.equal(errorOf(() => drawing.pixels("rgba8", "nothing")).code, "missing");
  assert.equal(errorOf(() => drawing.pixels("png")).code, "invalid-argument");
  assert.equal(errorOf(() => drawing.history({ x: 5000, y: 0 })).code, "missing");
  assert.equal(errorOf(() => drawing.heat("warmth")).code, "bad-value");
  assert.equal(errorOf(() => drawing.step({ x: 0, y: 0, event: 1 })).code, "missing");
});

test("memory is used again", () => {
  const scene = loaded("triangle.toml");
  const once = () => {
    const drawing = scene.draw();
    drawing.heat("runs");
    drawing.step({ x: 64, y: 64, event: 1 }).free();
    drawing.free();
  };
  for (let i = 0; i < 5; ++i) once();
  const before = unshade.memorySize;
  for (let i = 0; i < 20; ++i) once();
  assert.ok(unshade.memorySize - before <= 1 << 20, `${unshade.memorySize - before} bytes more`);
});
