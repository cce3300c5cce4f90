// Damaged files, texts and inputs give errors, and none of them traps. What traps all the same is reported, and the module goes on.
import { pathToFileURL } from "node:url";
import { join } from "node:path";

import { bytesOf, errorOf, finish, module, packageFolder, samples } from "./support.mjs";

const { Instance } = await import(pathToFileURL(join(packageFolder, "instance.js")));
const unshade = await module.load();
const failures = [];
const mostSeconds = 30;
let checked = 0;
let refused = 0;

/** Calls what may fail. */
function survives(what, call) {
  checked += 1;
  const start = performance.now();
  const error = errorOf(call);
  const seconds = (performance.now() - start) / 1000;
  if (seconds > mostSeconds) failures.push(`${what}: took ${seconds.toFixed(1)} s`);
  if (error === null) return;
  refused += 1;
  if (!(error instanceof module.UnshadeError) || error.code === "trap" || error.code === "out-of-memory")
    failures.push(`${what}: ${error.code ?? error.name}: ${error.message}`);
}

function use(what, bytes) {
  survives(`${what}, fields`, () => {
    const tree = unshade.annotate(bytes);
    tree.values(0, Math.min(tree.count, 50));
    tree.free();
  });
  survives(`${what}, findings`, () => unshade.validate(bytes));
  let shader;
  survives(`${what}, open`, () => {
    shader = unshade.open(bytes, what);
  });
  if (shader === undefined) return;
  survives(`${what}, listing`, () => shader.listing());
  survives(`${what}, reflection`, () => shader.reflection());
  survives(`${what}, document`, () => shader.document());
  survives(`${what}, strip`, () => shader.strip("debug", "reflection"));
  survives(`${what}, run`, () => shader.run({}, { operations: 10_000, memory: 1 << 24 }));
  shader.free();
}

// Always the same numbers.
let state = 1;
function below(most) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state % most;
}

for (const path of samples()) {
  const bytes = bytesOf(path);
  for (let i = 0; i < 8; ++i) {
    const size = below(bytes.length);
    use(`${path}, ${size} bytes of it`, bytes.slice(0, size));
    const damaged = bytes.slice();
    const at = below(bytes.length / 4) * 4;
    damaged.set([0xff, 0xff, 0xff, below(2) ? 0xff : 0x7f].slice(0, damaged.length - at), at);
    use(`${path}, damaged at ${at}`, damaged);
  }
}

for (const text of ["[".repeat(1_000_000), '{"a":'.repeat(500_000), '{"schema": "unshade.document/1"}', "", "null", "\0", '"\\ud800"'])
  survives(`document ${text.slice(0, 20)}`, () => unshade.build(text));
for (const text of [
  "ps_5_0\n" + "if_nz r0.x\n".repeat(200_000),
  "(".repeat(1_000_000),
  "define void @f() {\n" + "br label %a\n".repeat(1000),
  "\0\0",
  "%1 = ",
])
  for (const language of ["dxbc", "dxil", "pica", "spirv", "vbc"])
    survives(`${language} ${text.slice(0, 20)}`, () => unshade.assemble(text, { language }));

const grid = bytesOf("tests/data/dxbc/grid_cs_5_0.dxbc");
const program = unshade.open(grid).program();
for (const input of [
  { grid: [4294967295, 4294967295, 4294967295] },
  { resources: { u0: { size: 4294967300 } } },
  { resources: { u0: { size: 18446744073709549568 } } },
  { resources: { u0: { size: -1 } } },
  { resources: { u0: { width: 65535, height: 65535, depth: 65535, format: "R32G32B32A32_FLOAT" } } },
  { constants: { nothing: 1 } },
  [],
])
  survives(`case ${JSON.stringify(input)}`, () => program.runCase(input, { operations: 100_000, memory: Number.MAX_SAFE_INTEGER }));

// A trap: nothing that is in a file makes one, a pointer that is none does.
const instance = await Instance.make(unshade.module);
const trap = errorOf(() => instance.call("unshade_shader_size", 0xfffffff0));
if (trap?.code !== "trap" || !(trap instanceof module.UnshadeError)) failures.push(`a trap was reported as ${trap}`);
const after = errorOf(() => instance.call("unshade_version"));
if (after?.code !== "trap") failures.push(`an instance that trapped goes on: ${after}`);

// No memory: the call that wants more fails, and so does what the instance made before. The next file is opened in another instance.
const filled = await Instance.make(unshade.module);
const full = new module.Unshade(unshade.module, filled);
const old = full.open(grid, "grid.cso");
for (let size = 1 << 28; size >= 1 << 10; size >>= 1) while (filled.call("malloc", size) !== 0);
const want = errorOf(() => old.document());
if (want?.code !== "out-of-memory") failures.push(`want of memory was reported as ${want}`);
const stale = errorOf(() => old.disassemble());
if (stale?.code !== "trap") failures.push(`what an instance made that trapped gives ${stale}`);
if (!full.open(grid).disassemble().includes("cs_5_0")) failures.push("the module does not go on after want of memory");

console.log(`${refused} calls were refused`);
if (refused < checked / 20) failures.push("hardly anything was refused");
finish("hostile inputs", checked, failures);
