// The npm package as its user has it: packed, installed without a network, called by its name and imported. What its command prints is what
// the native command prints.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { native, packageFolder } from "./support.mjs";

const mostPacked = 4_150_000;
const folder = mkdtempSync(join(tmpdir(), "unshade-npm-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

function run(command, parameters, options = {}) {
  return spawnSync(command, parameters, {
    cwd: folder,
    maxBuffer: 1 << 28,
    env: { ...process.env, npm_config_cache: join(folder, "cache"), npm_config_update_notifier: "false" },
    ...options,
  });
}
function npm(...parameters) {
  const { status, stdout, stderr } = run("npm", parameters);
  assert.equal(status, 0, `npm ${parameters.join(" ")}: ${stderr}`);
  return stdout.toString();
}

if (run("npm", ["--version"]).status !== 0) {
  console.log("skipped: no npm");
  process.exit(77);
}
const [packed] = JSON.parse(npm("pack", "--json", "--pack-destination", folder, resolve(packageFolder)));
console.log(`${packed.filename}: ${packed.size} bytes packed, ${packed.unpackedSize} unpacked`);
assert.ok(packed.size <= mostPacked, `at most ${mostPacked}`);
assert.deepEqual(
  packed.files.map(({ path }) => path).sort(),
  ["LICENSE", "LICENSE-files", "README.md", "cli.js", "drawing.js", "files.d.ts", "files.js", "instance.js", "json.d.ts", "package.json", "system.js", "unshade-files.wasm", "unshade.d.ts", "unshade.js", "unshade.wasm", "verbs.json"].sort(),
);
writeFileSync(join(folder, "package.json"), '{"type": "module", "private": true}');
npm("install", "--offline", "--no-audit", "--no-fund", `./${packed.filename}`);

const command = join(folder, "node_modules/.bin/unshade");
assert.ok((statSync(command).mode & 0o111) !== 0);
const samples = resolve("tests/data");
const textured = join(samples, "dxbc/textured_ps_5_0.dxbc");
const older = join(samples, "dxbc/textured_ps_4_0.dxbc");
const compute = join(samples, "dxil/atomics_cs_6_6.dxil");
const cut = join(folder, "cut.cso");
writeFileSync(cut, run("head", ["-c", "100", textured]).stdout);
writeFileSync(join(folder, "case.json"), '{"resources": {"u0": {"size": 64}}}');

/** Fails with the place of the first difference. */
function same(actual, expected, what) {
  if (actual === expected) return;
  let at = 0;
  while (actual[at] === expected[at]) at += 1;
  const near = (text) => JSON.stringify(text.slice(Math.max(at - 60, 0), at + 60));
  assert.fail(`${what}, at ${at}: ${near(actual)}\n  natively ${near(expected)}`);
}

const commands = [
  ["dis", textured],
  ["dis", "--no-header", "--offsets", "--bytes", textured],
  ["dis", textured, compute],
  ["dis", "--exact", compute],
  ["info", textured],
  ["dump", textured],
  ["dump", "--hex", textured, compute],
  ["dump", cut],
  ["reflect", textured],
  ["reflect", "--hlsl", textured, compute],
  ["validate", textured, cut],
  ["diff", older, textured],
  ["diff", "-U", "0", "--exact-text", older, textured],
  ["dis", cut],
  ["dis", "none.cso"],
  ["dis", cut, textured],
  ["diff", cut, textured],
];
for (const mine of commands) {
  const here = run(command, mine);
  const there = run(process.env.UNSHADE_COMMAND, mine);
  same(here.stdout.toString(), there.stdout.toString(), `unshade ${mine.join(" ")}`);
  same(here.stderr.toString(), there.stderr.toString(), `unshade ${mine.join(" ")}: errors`);
  assert.equal(here.status, there.status, `unshade ${mine.join(" ")}: status`);
}
const documents = [
  ["info", textured],
  ["dump", textured],
  ["dis", textured, cut],
  ["reflect", textured, compute],
  ["reflect", "--hlsl", textured],
  ["validate", textured, cut],
  ["diff", older, textured],
  ["run", compute],
  ["run", compute, "case.json"],
  ["run", "--wave", "8", compute],
];
for (const [verb, ...rest] of documents) {
  const here = run(command, [verb, "--json", ...rest]);
  const there = run(process.env.UNSHADE_COMMAND, [verb, "--json", ...rest]);
  assert.deepEqual(JSON.parse(here.stdout.toString()), JSON.parse(there.stdout.toString()), `unshade ${verb} --json ${rest.join(" ")}`);
  assert.equal(here.status, there.status);
}

// streams and files
const piped = run(command, ["dis", "-"], { input: run("cat", [textured]).stdout });
assert.equal(piped.stdout.toString(), native("dis", textured).stdout.toString());
run(command, ["dis", "-o", "out.asm", textured]);
assert.equal(run("cat", ["out.asm"]).stdout.toString(), piped.stdout.toString());

// what its user may get wrong
for (const [parameters, status, message] of [
  [[], 2, /^$/],
  [["frob"], 2, /no verb 'frob'/],
  [["dis"], 2, /takes FILE/],
  [["dis", "--frob", textured], 2, /--frob/],
  [["diff", textured], 2, /takes BEFORE AFTER/],
  [["run", compute, textured], 2, /must be JSON/],
  [["diff", "-U", "many", textured, older], 2, /must be a number/],
  [["dis", samples], 2, /Is a directory/],
]) {
  const { status: got, stderr } = run(command, parameters);
  assert.equal(got, status, `unshade ${parameters.join(" ")}: ${stderr}`);
  assert.match(stderr.toString(), message);
}
assert.match(run(command, ["--help"]).stdout.toString(), /Exit status/);
for (const { name, summary, options } of JSON.parse(readFileSync("web/npm/verbs.json", "utf8")).verbs) {
  const { status, stdout } = run(command, [name, "--help"]);
  assert.equal(status, 0, `unshade ${name} --help`);
  for (const text of [summary, ...options.map((option) => `--${option.name}`)]) assert.ok(stdout.toString().includes(text), `unshade ${name} --help: ${text}`);
}
assert.match(run(command, ["dis", "--help"]).stdout.toString(), /--exact-floats/);
assert.equal(run(command, ["--version"]).stdout.toString(), native("version").stdout.toString().split("\n")[0].trim() + "\n");

copyFileSync(textured, join(folder, "shader.cso"));
writeFileSync(
  join(folder, "use.js"),
  'import { readFileSync } from "node:fs";\nimport { load } from "unshade";\nconst shader = (await load()).open(readFileSync("shader.cso"));\nconsole.log(shader.profile);\n',
);
assert.equal(run("node", ["use.js"]).stdout.toString(), "ps_5_0\n");
writeFileSync(
  join(folder, "unpack.js"),
  'import { readFileSync } from "node:fs";\nimport { loadFiles } from "unshade/files";\nconst { shaders } = (await loadFiles()).unpack(readFileSync("shader.cso"));\nconsole.log(shaders[0].profile);\n',
);
assert.equal(run("node", ["unpack.js"]).stdout.toString(), "ps_5_0\n");
console.log(`${commands.length + documents.length} commands print what the native command prints`);
