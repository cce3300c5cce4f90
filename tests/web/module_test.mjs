// web/module/unshade.js: what each function gives.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { bytesOf, errorOf, module, native, packageFolder } from "./support.mjs";

const { FieldWord, LineWord, TokenWord, UnshadeError, fieldKinds, load, noOffset, tokenClasses } = module;
const unshade = await load();
const textured = "tests/data/dxbc/textured_ps_5_0.dxbc";
// o0 = v0 * (1, 0.5, 4, 2)
const twice = `vs_5_0
dcl_globalFlags refactoringAllowed
dcl_input v0.xyzw
dcl_output o0.xyzw
dcl_temps 1
add r0.xyzw, v0.xyzw, v0.xyzw
mul o0.xyzw, r0.xyzw, l(0.5, 0.25, 2.0, 1.0)
ret
`;
const open = (path = textured) => unshade.open(bytesOf(path), path);

// What unshade.d.ts declares is there, and nothing else is.
test("has what its types say", () => {
  const text = readFileSync(join(packageFolder, "unshade.d.ts"), "utf8");
  const tree = open().tree;
  const program = open("tests/data/dxil/atomics_cs_6_6.dxil").program();
  const scene = unshade.scene({ targets: { picture: { format: "R8_UNORM", width: 1, height: 1 } }, pass: [] });
  const objects = {
    Unshade: unshade,
    Shader: open(),
    Tree: tree,
    Program: program,
    Result: program.run(),
    Stepper: open("tests/data/dxil/atomics_cs_6_6.dxil").step(),
    LoadedScene: scene,
    Drawing: scene.draw(),
    UnshadeError: new UnshadeError("limit", ""),
  };
  for (const [, name, body] of text.matchAll(/^export class (\w+)[^{]*\{\n(.*?)^\}/gms)) {
    const members = [...body.matchAll(/^  (?:readonly )?(\w+)\??[(:<]/gm)]
      .map(([, member]) => member)
      .filter((member) => member !== "constructor" && member !== "private");
    assert.ok(members.length > 2, name);
    for (const member of members) assert.ok(member in objects[name], `${name}.${member}`);
    const own = [...Object.getOwnPropertyNames(Object.getPrototypeOf(objects[name])), ...Object.keys(objects[name])];
    const undeclared = own.filter((member) => !members.includes(member) && member !== "constructor" && member !== "name");
    assert.deepEqual(undeclared, [], name);
  }
  for (const [, name] of text.matchAll(/^export (?:const|function) (\w+)/gm)) assert.ok(name in module, name);
});

test("loads what it is given", async () => {
  const bytes = readFileSync(join(packageFolder, "unshade.wasm"));
  for (const source of [
    bytes,
    unshade.module,
    new Response(bytes),
    new Response(bytes, { headers: { "content-type": "application/wasm" } }),
    Promise.resolve(new Response(bytes)),
  ])
    assert.equal((await load(source)).version, unshade.version);
  await assert.rejects(load(new Response("not found", { status: 404 })), TypeError);
  await assert.rejects(load(new Uint8Array(8)), WebAssembly.CompileError);
  // an empty module is none of ours
  await assert.rejects(load(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])));
});

test("opens and summarizes", () => {
  const shader = open();
  assert.equal(shader.family, "dxbc");
  assert.equal(shader.stage, "pixel");
  assert.equal(shader.profile, "ps_5_0");
  assert.equal(shader.digest, "valid");
  assert.equal(shader.name, textured);
  assert.ok(shader.instructionCount > 0);
  assert.deepEqual(shader.bytes, bytesOf(textured));
  assert.deepEqual(
    shader.parts.map(({ name }) => name),
    shader.info().parts.map(({ fourcc }) => fourcc),
  );
  const isgn = shader.parts.find(({ name }) => name === "ISGN");
  assert.deepEqual(shader.part("ISGN"), shader.bytes.slice(isgn.offset + 8, isgn.offset + 8 + isgn.size));
  assert.equal(shader.part("NONE"), null);
  assert.equal(unshade.identify(shader.bytes), "dxbc");
  assert.equal(unshade.identify(new Uint8Array(0)), "unknown");
  // views and buffers are bytes too
  const { buffer } = bytesOf(textured);
  assert.equal(unshade.open(buffer).profile, "ps_5_0");
  assert.equal(unshade.open(new DataView(buffer)).profile, "ps_5_0");
  assert.throws(() => unshade.open([1, 2, 3]), TypeError);
});

test("tells errors by code, offset, path and file", () => {
  const error = errorOf(() => unshade.open(bytesOf(textured).slice(0, 100), "cut.cso"));
  assert.ok(error instanceof UnshadeError && error instanceof Error);
  assert.deepEqual([error.code, error.offset, error.path, error.file], ["truncated", 24, "header/size", "cut.cso"]);
  assert.match(error.message, /the file has 100/);
  assert.equal(errorOf(() => unshade.open(new Uint8Array(64)))?.code, "bad-magic");
});

test("lists with places and classes", () => {
  const shader = open();
  const { text, lines, tokens } = shader.listing();
  assert.equal(text, shader.disassemble());
  const own = text.split("\n");
  assert.equal(lines.length % LineWord.count, 0);
  const texts = [];
  for (let i = 0; i < lines.length; i += LineWord.count) texts.push(text.substr(lines[i + LineWord.text], lines[i + LineWord.textSize]));
  assert.deepEqual(texts, own.at(-1) === "" ? own.slice(0, texts.length) : own);
  // the last instruction of a program is ret, of one token
  const ret = texts.findLastIndex((line) => line.trim() === "ret") * LineWord.count;
  assert.equal(lines[ret + LineWord.size], 4);
  const at = lines[ret + LineWord.offset];
  assert.equal(shader.bytes[at], 0x3e);
  assert.equal(lines[LineWord.offset], noOffset);
  const seen = new Set();
  for (let i = 0; i < tokens.length; i += TokenWord.count) {
    const word = text.substr(tokens[i + TokenWord.text], tokens[i + TokenWord.textSize]);
    const kind = tokenClasses[tokens[i + TokenWord.class]];
    seen.add(kind);
    if (word === "ret") assert.equal(kind, "opcode");
  }
  assert.ok(seen.has("opcode") && seen.has("value") && seen.has("comment"), [...seen].join());
  assert.match(shader.disassemble({ offsets: true, noHeader: true }).split("\n")[1], /^0x|^[0-9a-f]{4}/);
  assert.equal(errorOf(() => shader.listing({ colour: true }))?.code, "invalid-argument");
});

// Places are in UTF-16 units where the text has more than ASCII.
test("places of listings are those of the text", () => {
  const assembled = unshade.assemble(
    'OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpSource HLSL 600\nOpName %a "grün 🎨"\nOpName %b "b"\n%a = OpTypeVoid\n%b = OpTypeBool\n',
    {
      language: "spirv",
    },
  );
  assert.notEqual(assembled.bytes, null, JSON.stringify(assembled.messages));
  const shader = unshade.open(assembled.bytes);
  const { text, lines, tokens } = shader.listing();
  assert.ok(text.includes("grün 🎨"));
  const parts = [];
  for (let i = 0; i < lines.length; i += LineWord.count) parts.push(text.substr(lines[i + LineWord.text], lines[i + LineWord.textSize]));
  assert.deepEqual(parts, text.split("\n").slice(0, parts.length));
  const strings = [];
  for (let i = 0; i < tokens.length; i += TokenWord.count)
    if (tokenClasses[tokens[i + TokenWord.class]] === "text") strings.push(text.substr(tokens[i], tokens[i + 1]));
  assert.deepEqual(strings, ['"grün 🎨"', '"b"']);
});

test("names every byte", () => {
  const shader = open();
  const { tree } = shader;
  assert.equal(tree, shader.tree);
  assert.equal(tree.words.length, tree.count * FieldWord.count);
  const field = tree.find("ISGN/elements[0]/mask");
  assert.notEqual(field, 0);
  assert.equal(tree.path(field), "ISGN/elements[0]/mask");
  const { name, kind, offset, size, parent } = tree.field(field);
  assert.deepEqual([name, kind, size], ["mask", "component_mask", 1]);
  assert.deepEqual([tree.field(parent).name, tree.field(parent).index, tree.field(parent).kind], ["elements", 0, "group"]);
  assert.equal(tree.at(offset), field);
  assert.equal(tree.find("nothing"), 0);
  assert.deepEqual(tree.values(field, field + 1), [tree.value(field)]);
  assert.equal(fieldKinds[tree.words[FieldWord.kind]], "group");
  const enumerations = [];
  for (let i = 0; i < tree.count; ++i) if (tree.field(i).kind === "enumeration") enumerations.push(i);
  const details = tree.details(enumerations[0]);
  assert.equal(details.filter(({ isSet }) => isSet).length, 1);
  assert.equal(details.find(({ isSet }) => isSet).name, tree.value(enumerations[0]));
  assert.deepEqual(tree.errors, []);
  assert.equal(errorOf(() => tree.field(tree.count))?.code, "invalid-argument");
  const cut = unshade.annotate(shader.bytes.slice(0, 300));
  assert.ok(cut.errors.length > 0 && cut.errors[0].severity === "error");
  cut.free();
});

test("gives the documents that the command prints", () => {
  const shader = open();
  const printed = (...verb) => JSON.parse(native(...verb, "--json", textured).stdout.toString());
  assert.deepEqual(shader.info(), printed("info").files[0]);
  assert.deepEqual(shader.reflection(), printed("reflect").files[0]);
  assert.deepEqual(shader.findings(), printed("validate").files[0]);
  assert.deepEqual(shader.identities(), printed("hash").files[0]);
  assert.deepEqual(unshade.dump(shader.bytes, textured), printed("dump").files[0]);
  assert.deepEqual(unshade.validate(shader.bytes, textured), shader.findings());
  assert.deepEqual(shader.dump(), printed("dump").files[0]);
  for (const what of ["info", "tree", "hex", "findings"]) assert.equal(shader.text(what), unshade.text(what, shader.bytes, textured));
  assert.equal(errorOf(() => shader.text("nothing"))?.code, "invalid-argument");
  const rooted = open("tests/data/dxil/rootsig_cs_6_0.dxil");
  assert.equal(rooted.rootSignatureText(), unshade.rootSignatureText(rooted.bytes));
  assert.equal(errorOf(() => shader.rootSignatureText())?.code, "missing");
  assert.equal(shader.yaml(), native("dump", "--yaml", textured).stdout.toString());
  assert.equal(shader.yaml({ hints: false }), native("dump", "--yaml", "--no-hints", textured).stdout.toString());
  assert.deepEqual(unshade.build(shader.document()), shader.bytes);
  assert.ok(unshade.build(shader.document({ hints: false })).length > 0);
  assert.match(shader.reflectionText(), /albedo/);
  assert.match(shader.reflectionHlsl(), /Texture2D<float4> albedo : register\(t0\);/);
  const error = errorOf(() => unshade.build({ schema: "unshade.document/1", family: "dxbc", parts: [{ ISGN: 3 }] }));
  assert.ok(error instanceof UnshadeError);
});

test("knows the names that tools give", () => {
  const shader = open();
  const kinds = unshade.identityKinds.map(({ id }) => id);
  assert.ok(kinds.includes("crc32"));
  assert.equal(shader.identity("crc32"), "0x5BA01B57");
  assert.equal(shader.identity("none"), null);
});

test("finds shaders inside other bytes", () => {
  const shader = bytesOf(textured);
  const file = new Uint8Array(1000 + shader.length + 500);
  file.set(shader, 1000);
  const hit = { offset: 1000, size: shader.length, parent: null, form: "container", certainty: "certain", family: "dxbc" };
  assert.deepEqual(unshade.find(file), [hit]);
  // a piece of a larger file
  assert.deepEqual(unshade.find(file, { offset: 5e9 }), [{ ...hit, offset: 5e9 + 1000 }]);
  assert.deepEqual(unshade.find(file, { starts: 1000 }), []);
  const [unfinished] = unshade.find(file.slice(0, 1200), { isLast: false });
  assert.deepEqual([unfinished.offset, unfinished.certainty], [1000, "unfinished"]);
  assert.deepEqual(unshade.find(new Uint8Array(0)), []);
});

test("gives the sources that a shader carries", () => {
  const path = "tests/data/dxil/control_ps_6_0_zi.dxil";
  const { schema: _, ...printed } = JSON.parse(native("source", "list", "--json", path).stdout.toString());
  assert.deepEqual(open(path).sources(), printed);
});

test("draws control flow", () => {
  const shader = open("tests/data/dxbc/control_ps_5_0.dxbc");
  assert.deepEqual(shader.graph(), JSON.parse(native("graph", "--json", shader.name).stdout.toString()).files[0]);
  assert.ok(shader.graph().functions[0].blocks.length > 3);
  assert.match(shader.drawGraph("svg"), /^<svg/);
  assert.match(shader.drawGraph("dot"), /digraph/);
  assert.ok(shader.drawGraph("text").length > 0);
  assert.notEqual(shader.drawGraph("svg", { lines: 1 }), shader.drawGraph("svg", { lines: Infinity }));
  assert.equal(errorOf(() => shader.graph({ function: "nothing" }))?.code, "missing");
  assert.equal(errorOf(() => shader.drawGraph("png"))?.code, "invalid-argument");
});

test("prints, makes and attaches root signatures", () => {
  const shader = open("tests/data/dxil/rootsig_cs_6_0.dxil");
  const text = unshade.rootSignatureText(shader.bytes);
  assert.match(text, /CBV|RootConstants|DescriptorTable|SRV|UAV/);
  const { bytes, messages } = unshade.makeRootSignature(text);
  assert.notEqual(bytes, null, JSON.stringify(messages));
  const without = unshade.open(shader.setRootSignature(null).bytes);
  assert.equal(without.part("RTS0"), null);
  assert.deepEqual(unshade.open(without.setRootSignature(bytes).bytes).part("RTS0"), shader.part("RTS0"));
  assert.equal(errorOf(() => without.setRootSignature(null))?.code, "missing");
  assert.equal(unshade.makeRootSignature("CBV(x9)").bytes, null);
});

test("packs, links and embeds sources", () => {
  const linked = unshade.open(unshade.link([open("tests/data/pica/skin.v.shbin"), open("tests/data/pica/quad.g.shbin")]));
  assert.equal(linked.family, "pica");
  assert.equal(errorOf(() => unshade.link([open()]))?.code, "invalid-argument");
  const { bytes } = unshade.assemble(open("tests/data/spirv/odd.spv").disassemble(), { language: "spirv" });
  const stage = unshade.open(bytes);
  const error = errorOf(() => unshade.pack([stage]));
  assert.ok(error === null || error instanceof UnshadeError, String(error));
  assert.equal(errorOf(() => unshade.pack([open()]))?.code, "invalid-argument");
  const sourced = unshade.open(
    open("tests/data/dxil/control_ps_6_0_zi.dxil").embedSources([{ name: "a.hlsl", text: "float4 main() : SV_Target { return 0; }" }])
      .bytes,
  );
  assert.ok(JSON.stringify(sourced.sources()).includes("a.hlsl"));
});

test("compares", () => {
  const before = open("tests/data/dxbc/textured_ps_4_0.dxbc");
  const difference = before.diff(open());
  assert.equal(difference.same_meaning, false);
  assert.equal(difference.before, "tests/data/dxbc/textured_ps_4_0.dxbc");
  assert.equal(before.diffText(open()), native("diff", before.name, textured).stdout.toString());
  assert.ok(open().diff(open()).same_bytes);
});

test("edits", () => {
  const shader = open();
  assert.equal(shader.strip().changed, false);
  const stripped = shader.strip("reflection");
  assert.ok(stripped.changed && stripped.bytes.length < shader.bytes.length);
  const after = unshade.open(stripped.bytes);
  assert.equal(after.part("RDEF"), null);
  assert.equal(after.digest, "valid");
  assert.equal(errorOf(() => shader.strip("everything"))?.code, "invalid-argument");

  const renamed = unshade.open(shader.rename([{ what: "resource", from: "albedo", to: "colour" }]).bytes);
  assert.ok(renamed.reflection().resources.some(({ name }) => name === "colour"));
  const moved = unshade.open(shader.rebind([{ kind: "t", from: 0, to: 9 }]).bytes);
  assert.match(moved.reflectionHlsl(), /albedo : register\(t9\);/);

  const set = unshade.open(shader.setField("ISGN/elements[0]/semantic_index", "7").bytes);
  assert.equal(set.tree.value(set.tree.find("ISGN/elements[0]/semantic_index")), "7");
  assert.equal(set.digest, "valid");
  assert.equal(errorOf(() => shader.setField("nothing", "7"))?.code, "missing");
  assert.equal(errorOf(() => shader.setField("ISGN/elements[0]/semantic_index", "seven"))?.code, "bad-value");

  const unsigned = unshade.open(shader.sign("zero").bytes);
  assert.equal(unsigned.digest, "unsigned");
  assert.deepEqual(unsigned.sign("standard").bytes, shader.bytes);

  const added = unshade.open(shader.addPart("PRIV", new Uint8Array([1, 2, 3, 4])).bytes);
  assert.deepEqual(added.part("PRIV"), new Uint8Array([1, 2, 3, 4]));
  assert.deepEqual(unshade.open(added.replacePart("PRIV", new Uint8Array(8)).bytes).part("PRIV"), new Uint8Array(8));
  assert.deepEqual(added.removePart("PRIV").bytes, shader.bytes);
});

test("assembles", () => {
  const shader = open();
  const { bytes, messages } = unshade.assemble(shader.disassemble({ exact: true }));
  assert.notEqual(bytes, null, JSON.stringify(messages));
  assert.equal(unshade.open(bytes).profile, "ps_5_0");
  const wrong = unshade.assemble("ps_5_0\nmove r0, r1\n", { language: "dxbc" });
  assert.equal(wrong.bytes, null);
  assert.deepEqual([wrong.messages[0].severity, wrong.messages[0].line], ["error", 2]);
  const dxil = open("tests/data/dxil/atomics_cs_6_6.dxil");
  const text = dxil.disassemble({ exact: true });
  assert.equal(unshade.open(unshade.assemble(text, { container: true }).bytes).family, "dxil");
  assert.equal(unshade.open(unshade.assemble(text, { into: dxil.bytes }).bytes).profile, "cs_6_6");
  assert.equal(errorOf(() => unshade.assemble("x", { language: "cobol" }))?.code, "invalid-argument");
});

test("embeds, and opens what is embedded", () => {
  const shader = open();
  const source = shader.embed({ name: "g_ps" });
  assert.match(source, /g_ps/);
  assert.deepEqual(unshade.openSource(source).bytes, shader.bytes);
  assert.deepEqual(unshade.openSource(source, "g_ps").bytes, shader.bytes);
  assert.equal(errorOf(() => unshade.openSource("int x;"))?.code, "missing");
});

test("translates to SPIR-V", () => {
  const { bytes, bindings } = open().translate({ shifts: "t=10" });
  assert.equal(unshade.open(bytes).family, "spirv");
  assert.deepEqual(
    bindings.filter((one) => one.kind === "texture").map((one) => [one.name, one.set, one.binding]),
    [
      ["albedo", 0, 10],
      ["detail", 0, 13],
    ],
  );
  assert.equal(errorOf(() => open().translate({ targetEnv: "vulkan7" }))?.code, "invalid-argument");
  assert.equal(errorOf(() => open().translate({ shifts: "t" }))?.code, "bad-value");
});

test("decompiles to source", () => {
  const { language, text, lines, score } = open().decompile();
  assert.equal(language, "hlsl");
  assert.match(text, /^\/\/ ps_5_0\n/);
  const sampled = lines.find((one) => text.split("\n")[one.line - 1].includes("albedo.Sample("));
  assert.equal(sampled.function, "main");
  assert.ok(score.statements > score.temporaries);
  assert.match(open().decompile({ language: "glsl", environment: "es" }).text, /^#version 310 es\n/);
  assert.equal(errorOf(() => open().decompile({ language: "msl" }))?.code, "invalid-argument");
  assert.equal(errorOf(() => open().decompile({ language: "glsl", version: 123 }))?.code, "invalid-argument");
});

test("runs with inputs that are set", () => {
  const { bytes, messages } = unshade.assemble(twice);
  assert.notEqual(bytes, null, JSON.stringify(messages));
  const program = unshade.open(bytes).program();
  program.setInput(0, "v0", [1, 2, 3, 4]);
  program.setInput(1, "v0", [0, 0.5, -1, 1e30]);
  const result = program.run();
  assert.equal(result.stop, "finished");
  assert.equal(result.laneCount, 2);
  assert.deepEqual(result.output(0, "o0"), [1, 1, 12, 8]);
  assert.deepEqual(result.output(1, "o0"), [0, 0.25, -4, Math.fround(2e30)]);
  assert.equal(errorOf(() => result.output(0, "NOTHING"))?.code, "missing");
  assert.equal(errorOf(() => result.output(2, "o0"))?.code, "missing");
  assert.equal(result.discarded(0), false);
  program.clearLanes();
  assert.equal(errorOf(() => program.setInput(65536, "v0", 1))?.code, "limit");
});

test("runs and steps the entry point that a case names, as an object or as text", () => {
  const shader = open("tests/data/vbc/textured.vbc");
  const pixel = { entry: "main:pixel" };
  for (const given of [pixel, JSON.stringify(pixel)]) {
    assert.deepEqual(Object.keys(shader.run(given).lanes[0]), ["colour"]);
    const stepper = shader.step(given);
    assert.deepEqual(Object.keys(stepper.result().lanes[0]), ["colour"]);
    stepper.free();
  }
  assert.ok("gl_Position" in shader.run({}).lanes[0]);
  assert.equal(errorOf(() => shader.run({ entry: "none" }))?.code, "missing");
  shader.free();
});

test("runs cases", () => {
  const shader = open("tests/data/dxil/atomics_cs_6_6.dxil");
  const generated = shader.run();
  assert.equal(generated.stop, "finished");
  const program = shader.program();
  program.setBuffer("u0", 4096);
  const result = program.run({ groups: [1, 1, 1] });
  assert.equal(result.resource("u0").length, 4096);
  assert.deepEqual(program.runCase({}), generated);
  assert.deepEqual(program.runCase("{}"), generated);
  assert.equal(program.runCase({}, { operations: 1 }).stop, "budget");
  const error = errorOf(() => program.runCase({ resources: { nothing: { size: 4 } } }));
  assert.ok(error instanceof UnshadeError, String(error));
});

test("what is freed is refused", () => {
  const shader = open();
  const tree = shader.tree;
  shader.free();
  shader.free();
  assert.equal(errorOf(() => shader.disassemble())?.code, "invalid-argument");
  assert.equal(errorOf(() => tree.words)?.code, "invalid-argument");
});

// Addresses there are negative numbers to JavaScript.
test("works beyond 2 GiB of memory", async () => {
  const { Instance } = await import(pathToFileURL(join(packageFolder, "instance.js")));
  const instance = await Instance.make(unshade.module);
  for (let i = 0; i < 9; ++i) assert.notEqual(instance.call("malloc", 1 << 28), 0);
  const high = new module.Unshade(unshade.module, instance);
  assert.ok(high.memorySize > 2 ** 31);
  const shader = high.open(bytesOf(textured), textured);
  assert.deepEqual(shader.bytes, open().bytes);
  assert.deepEqual(shader.listing(), open().listing());
  assert.deepEqual(shader.tree.words.slice(), open().tree.words.slice());
  assert.deepEqual(shader.tree.details(5), open().tree.details(5));
  assert.deepEqual(shader.parts, open().parts);
  assert.deepEqual(shader.reflection(), open().reflection());
  assert.equal(shader.setField("ISGN/elements[0]/semantic_index", "7").changed, true);
  assert.equal(errorOf(() => high.open(new Uint8Array(40)))?.code, "bad-magic");
  const { bytes } = high.assemble(twice);
  const program = high.open(bytes).program();
  program.setInput(0, "v0", [1, 2, 3, 4]);
  assert.deepEqual(program.run().output(0, "o0"), [1, 1, 12, 8]);
  assert.equal(high.find(shader.bytes).length, 1);
});

test("memory is used again", () => {
  const bytes = bytesOf(textured);
  const once = () => {
    const shader = unshade.open(bytes);
    shader.listing();
    void shader.tree.count;
    shader.reflection();
    shader.document();
    shader.strip("reflection");
    errorOf(() => shader.setField("nothing", ""));
    shader.run();
    shader.free();
  };
  for (let i = 0; i < 20; ++i) once();
  const before = unshade.memorySize;
  for (let i = 0; i < 300; ++i) once();
  assert.ok(unshade.memorySize - before <= 1 << 20, `${unshade.memorySize - before} bytes more`);
});
