// web/module/files.js: shaders in what is packed, and databases, in memory and in files; the native command finds the same.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

import { unityBundle } from "./packed.mjs";
import { bytesOf, errorOf, native, packageFolder } from "./support.mjs";

const { Files, Index, UnshadeError, loadFiles } = await import(pathToFileURL(join(packageFolder, "files.js")));
const inMemory = await loadFiles();
const onDisk = await loadFiles({ fs });
const textured = "tests/data/dxbc/textured_ps_5_0.dxbc";
const older = "tests/data/dxbc/textured_ps_4_0.dxbc";
const shader = bytesOf(textured);
const folder = fs.mkdtempSync(join(tmpdir(), "unshade-files-"));
process.on("exit", () => fs.rmSync(folder, { recursive: true, force: true }));

/** What a program of Python writes to standard output. */
function python(program, ...parameters) {
  const { status, stdout, stderr } = spawnSync("python3", ["-c", program, ...parameters], { maxBuffer: 1 << 28 });
  assert.equal(status, 0, stderr.toString());
  return new Uint8Array(stdout);
}
const zipped = (...names) =>
  python(
    "import io, sys, zipfile\nmade = io.BytesIO()\nwith zipfile.ZipFile(made, 'w', zipfile.ZIP_DEFLATED) as packed:\n  for name in sys.argv[1:]: packed.write(name)\nsys.stdout.buffer.write(made.getvalue())",
    ...names,
  );
const tarred = (how, ...names) =>
  python(
    "import io, sys, tarfile\nmade = io.BytesIO()\nwith tarfile.open(fileobj=made, mode='w:' + sys.argv[1]) as packed:\n  for name in sys.argv[2:]: packed.add(name)\nsys.stdout.buffer.write(made.getvalue())",
    how,
    ...names,
  );

// What files.d.ts declares is there, and nothing else is.
test("has what its types say", () => {
  const text = fs.readFileSync(join(packageFolder, "files.d.ts"), "utf8");
  const objects = { Files: inMemory, Index: inMemory.newIndex() };
  for (const [, name, body] of text.matchAll(/^export class (\w+)[^{]*\{\n(.*?)^\}/gms)) {
    const members = new Set([...body.matchAll(/^  (?:readonly )?(\w+)\??[(:<]/gm)].map(([, member]) => member));
    for (const other of ["constructor", "private"]) members.delete(other);
    for (const member of members) assert.ok(member in objects[name], `${name}.${member}`);
    const own = [...Object.getOwnPropertyNames(Object.getPrototypeOf(objects[name])), ...Object.keys(objects[name])];
    assert.deepEqual(own.filter((member) => !members.has(member) && member !== "constructor"), [], name);
  }
  assert.ok(objects.Files instanceof Files && objects.Index instanceof Index);
});

test("unpacks archives, compressed files and a bundle of Unity", () => {
  for (const [form, file, member] of [
    ["zip", zipped(textured), textured],
    ["tar", tarred("", textured), textured],
    ["gzip", gzipSync(shader), null],
    ["gzip tar", tarred("gz", textured), textured],
    ["bzip2 tar", tarred("bz2", textured), textured],
    ["xz tar", tarred("xz", textured), textured],
    ["unityfs", unityBundle(shader), "CAB-lit"],
  ]) {
    const { shaders, faults } = inMemory.unpack(file);
    assert.deepEqual(faults, [], form);
    assert.equal(shaders.length, 1, form);
    assert.equal(shaders[0].layers.map((layer) => layer.form).join(" "), form);
    assert.equal(shaders[0].layers.at(-1).member, member, form);
    assert.equal(shaders[0].profile, "ps_5_0");
    assert.deepEqual(shaders[0].bytes, shader, form);
  }
});

test("gives a shader that lies in the bytes as they are, and those in streams where they are asked for", () => {
  const [found] = inMemory.unpack(Buffer.concat([Buffer.alloc(12), shader])).shaders;
  assert.deepEqual([found.offset, found.layers, found.family], [12, [], "dxbc"]);
  assert.deepEqual(found.bytes, shader);
  const among = Buffer.concat([Buffer.from("no archive: "), gzipSync(shader)]);
  assert.equal(inMemory.unpack(among).shaders.length, 0);
  const [layer] = inMemory.unpack(among, { decompress: true }).shaders[0].layers;
  assert.deepEqual(layer, { form: "gzip", member: null, offset: 12 });
});

test("says what cannot be unpacked", () => {
  const { shaders, faults } = inMemory.unpack(gzipSync(shader).subarray(0, 400));
  assert.deepEqual([shaders.length, faults.length, faults[0].code], [0, 1, "truncated"]);
  assert.equal(inMemory.unpack(new Uint8Array(0)).shaders.length, 0);
  assert.equal(errorOf(() => inMemory.unpackFile("a.zip")).code, "missing");
});

test("reads files by their paths", () => {
  const path = join(folder, "two.zip");
  fs.writeFileSync(path, zipped(textured, older));
  const { shaders } = onDisk.unpackFile(path);
  assert.deepEqual(shaders.map(({ profile }) => profile), ["ps_5_0", "ps_4_0"]);
  assert.deepEqual(shaders[0].bytes, shader);
  assert.equal(onDisk.unpackFile(textured).shaders[0].profile, "ps_5_0");
  assert.equal(errorOf(() => onDisk.unpackFile(join(folder, "none"))).code, "missing");
});

test("indexes bytes, and finds them", () => {
  const index = inMemory.newIndex({ keep: true, text: true });
  const added = index.add([{ name: "game/all.zip", bytes: zipped(textured, older) }, { name: "bundle", bytes: unityBundle(shader) }]);
  assert.deepEqual([added.files, added.shaders, added.added, added.faults], [2, 3, 2, []]);
  const [row, ...others] = index.search("ALBEDO", { where: "profile = 'ps_5_0'" });
  assert.equal(others.length, 0);
  assert.deepEqual(
    row.places.map(({ file, layers }) => [file, layers]),
    [["bundle", "!CAB-lit"], ["game/all.zip", `!${textured}`]],
  );
  assert.equal(index.search().length, 2);
  assert.equal(index.search(null, { limit: 1 }).length, 1);
  assert.equal(index.search(undefined, { uses: ["sample*"], binds: "albedo" }).length, index.search(undefined, { words: "sample" }).length);
  assert.equal(index.search(undefined, { like: shader })[0].similarity, 1);
  const lines = index.search(undefined, { regex: "^ps_5", context: 1 })[0].lines;
  assert.ok(lines.some(({ text }) => text === "ps_5_0"));
  assert.equal(index.stats().shaders, 2);
  index.remove("bundle");
  assert.equal(index.search("albedo", { where: "profile = 'ps_5_0'" })[0].places.length, 1);

  const copy = inMemory.openIndex(index.bytes);
  assert.equal(copy.search().length, 2);
  copy.add([{ name: "more", bytes: bytesOf("tests/data/dxil/atomics_cs_6_6.dxil") }]);
  assert.deepEqual([copy.search().length, index.search().length], [3, 2]);
  // what the native command makes of it
  const path = join(folder, "copy.udb");
  fs.writeFileSync(path, copy.bytes);
  assert.equal(native("search", path, "--count").stdout.toString(), "3\n");
  assert.equal(native("index", "--check", path).status, 0);
  index.free();
  assert.equal(errorOf(() => index.bytes).code, "invalid-argument");
});

test("throws errors of a condition and of a database, and works after them", () => {
  const index = inMemory.newIndex();
  index.add([{ name: "a", bytes: shader }]);
  const fault = errorOf(() => index.search(undefined, { where: "nonsense" }));
  assert.ok(fault instanceof UnshadeError);
  assert.deepEqual([fault.code, fault.path], ["bad-value", "where"]);
  assert.equal(errorOf(() => index.search(undefined, { regex: "(" })).path, "regex");
  assert.equal(errorOf(() => index.search(undefined, { words: "mul" })).path, "words");
  assert.equal(index.search().length, 1);
  // the database keeps no bytes, and the file is not there any more
  assert.equal(errorOf(() => index.search(undefined, { regex: "mul" })).code, "missing");
  assert.equal(errorOf(() => inMemory.openIndex(shader)).code, "bad-magic");
  assert.equal(errorOf(() => inMemory.openIndex(new Uint8Array(0))).code, "bad-magic");
  const damaged = index.bytes;
  damaged[3 * 8192 + 100] ^= 1;
  const code = errorOf(() => inMemory.openIndex(damaged).stats())?.code ?? errorOf(() => inMemory.openIndex(damaged).search())?.code;
  assert.equal(code, "bad-value");
  assert.equal(inMemory.openIndex(index.bytes).search().length, 1);
});

test("merges databases, and checks them", () => {
  const made = (name, bytes, options) => {
    const index = inMemory.newIndex(options);
    index.add([{ name, bytes }]);
    return index;
  };
  const first = made("a", shader);
  const second = made("b", bytesOf(older));
  const all = inMemory.newIndex();
  assert.deepEqual(all.merge([first.bytes, second]), { files: 2, replaced: 0, added: 2 });
  assert.deepEqual(all.merge([first]), { files: 1, replaced: 0, added: 0 });
  assert.deepEqual(all.search().flatMap(({ places }) => places.map(({ file }) => file)).sort(), ["a", "b"]);
  all.check();
  // a changed file, of another instance
  const changed = onDisk.newIndex();
  changed.add([{ name: "a", bytes: bytesOf(older) }]);
  const conflict = errorOf(() => all.merge([first, changed]));
  assert.deepEqual([conflict.code, conflict.path, conflict.message], ["invalid-argument", "others[1]", "its file a has other shaders than that of others[0]"]);
  assert.deepEqual(all.merge([changed]), { files: 1, replaced: 1, added: 0 });
  assert.equal(errorOf(() => all.merge([all])).message, "a database must not be merged into itself");
  assert.equal(errorOf(() => made("c", shader, { text: true }).merge([first])).code, "invalid-argument");
  assert.deepEqual([errorOf(() => all.merge([shader])).code, errorOf(() => all.merge(["none.udb"])).code], ["bad-magic", "missing"]);
  const damaged = first.bytes;
  for (let at = 2 * 8192 + 100; at < damaged.length; at += 8192) damaged[at] ^= 1;
  const fault = errorOf(() => all.merge([second, damaged]));
  assert.deepEqual([fault.code, fault.path], ["bad-value", "others[1]"]);
  assert.equal(errorOf(() => inMemory.openIndex(damaged).check()).code, "bad-value");
  all.check();
  // what the native command joins, and what it makes of what was joined here
  const paths = [first, second, all].map((index, i) => {
    const path = join(folder, `${i}.udb`);
    fs.writeFileSync(path, index.bytes);
    return path;
  });
  assert.equal(native("index", "--check", paths[2]).status, 0);
  const joined = onDisk.openIndex(join(folder, "joined.udb"), { make: true });
  assert.deepEqual(joined.merge(paths.slice(0, 2)), { files: 2, replaced: 0, added: 2 });
  const theirs = join(folder, "theirs_joined.udb");
  assert.equal(native("index", "--merge", ...paths.slice(0, 2), "-o", theirs).status, 0);
  const rows = (index) => index.search().map((row) => JSON.stringify(row)).sort();
  assert.deepEqual(rows(joined), rows(onDisk.openIndex(theirs)));
});

test("makes databases in files, as the native command does", () => {
  const names = fs.readdirSync("tests/data/dxbc").map((name) => `tests/data/dxbc/${name}`);
  const own = join(folder, "own.udb");
  const index = onDisk.openIndex(own, { make: true });
  assert.equal(index.bytes, null);
  const added = index.add(names);
  assert.equal(added.files, names.length);
  assert.equal(index.add(names).unchanged, names.length);
  assert.equal(index.search(undefined, { regex: "^ps_5_0" }).length, index.search(undefined, { where: "profile = 'ps_5_0'" }).length);
  index.free();
  assert.ok(!fs.existsSync(`${own}-journal`));
  const theirs = join(folder, "theirs.udb");
  assert.equal(native("index", "-o", theirs, ...names).status, 0);
  const rowsOf = (path) => onDisk.openIndex(path).search().map((row) => JSON.stringify(row)).sort();
  assert.deepEqual(rowsOf(own), rowsOf(theirs));
  assert.deepEqual(native("search", own, "--count").stdout, native("search", theirs, "--count").stdout);
  // as the command updates it: nothing has changed
  assert.match(native("index", "--update", "-o", own, ...names).stdout.toString(), new RegExp(`${names.length} unchanged`));
  assert.equal(errorOf(() => onDisk.openIndex(own).add([resolve(textured)])).code, "missing");
  assert.equal(errorOf(() => onDisk.openIndex(join(folder, "none.udb"))).code, "missing");
});
