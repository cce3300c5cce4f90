// The module of the page and of npm: unshade.d.ts says what it has. A thin face: what it gives is what the C interface gives.
import { Drawing, LoadedScene, Stepper, pixelForms } from "./drawing.js";
import { Handle, Instance, UnshadeError, bytesOf, compiled, families, structs } from "./instance.js";

export { Drawing, LoadedScene, Stepper, UnshadeError, pixelForms };

export const tokenClasses = ["opcode", "value", "number", "text", "comment", "directive"];
export const fieldKinds = [
  "group",
  "unsigned",
  "signed",
  "hexadecimal",
  "offset",
  "real",
  "enumeration",
  "flags",
  "bits",
  "component_mask",
  "fourcc",
  "text",
  "bytes",
  "padding",
  "unknown",
  "custom",
];
export const LineWord = { text: 0, textSize: 1, offset: 2, size: 3, count: 4 };
export const TokenWord = { text: 0, textSize: 1, class: 2, count: 3 };
export const FieldWord = { parent: 0, offset: 1, size: 2, index: 3, name: 4, kind: 5, count: 6 };
export const noOffset = 0xffffffff;

const documents = { info: 0, reflection: 1, tree: 2, findings: 3, json: 4, yaml: 6, identities: 8, sources: 9 };
const withoutHints = 1; // added to json and yaml
const listingFlags = { offsets: 1, bytes: 2, exact: 4, exactFloats: 8, noHeader: 16, rawIds: 32 };
const stripFlags = { debug: 1, reflection: 2, "private-data": 4, "root-signature": 8, statistics: 16, "debug-name": 32, names: 64 };
const renames = ["entry", "input", "output", "patch", "resource", "variable", "node"];
const partChanges = { add: 0, replace: 1, remove: 2 };
const signKinds = ["keep", "standard", "debug", "bypass", "preview-bypass", "zero"];
const texts = ["info", "tree", "hex", "findings"];
const graphForms = ["json", "svg", "dot", "text"];
const sourceLanguages = ["c", "cpp", "rust"];
const asIs = 0xffffffff;

function indexIn(list, one, what) {
  const index = list.indexOf(one);
  if (index < 0) throw new UnshadeError("invalid-argument", `${what} must be one of ${list.join(", ")}, not ${one}`);
  return index;
}

function flagsOf(table, names, what) {
  let flags = 0;
  for (const name of names) {
    indexIn(Object.keys(table), name, what);
    flags |= table[name];
  }
  return flags;
}

/** A case as text. */
const caseText = (input) => (typeof input === "string" ? input : JSON.stringify(input ?? {}));

// ---- loading ----

export async function load(source) {
  const module = await compiled(source, () => new URL("./unshade.wasm", import.meta.url));
  return new Unshade(module, await Instance.make(module));
}

export class Unshade {
  #instance;
  #version;
  #identityKinds;

  constructor(module, instance) {
    this.module = module;
    this.#instance = instance;
    this.#version = instance.text(instance.call("unshade_version"));
  }

  /** The instance, a new one after a trap. */
  get #live() {
    if (this.#instance.failure !== null) this.#instance = Instance.makeNow(this.module);
    return this.#instance;
  }

  get version() {
    return this.#version;
  }
  get memorySize() {
    return this.#live.bytes.length;
  }

  identify(bytes) {
    const instance = this.#live;
    // The magic of each family is in its first bytes.
    const front = bytesOf(bytes).subarray(0, 65536);
    return instance.withMemory((memory) => families[instance.call("unshade_identify", memory.put(front), front.length)]);
  }

  open(bytes, name = "") {
    const instance = this.#live;
    const file = bytesOf(bytes);
    return instance.withMemory((memory) => new Shader(instance, name, instance.make(name, "unshade_open", memory.put(file), file.length)));
  }
  openSource(text, array, name = "") {
    const instance = this.#live;
    return instance.withMemory((memory) => {
      const which = array === undefined ? 0 : memory.text(array);
      return new Shader(instance, name, instance.make(name, "unshade_open_source", ...memory.sizedText(text), which));
    });
  }

  annotate(bytes) {
    const instance = this.#live;
    const file = bytesOf(bytes);
    return instance.withMemory((memory) => new Tree(instance, instance.make("", "unshade_annotate", memory.put(file), file.length)));
  }
  validate(bytes, name = "") {
    return this.#documentOf(bytes, name, documents.findings);
  }
  dump(bytes, name = "") {
    return this.#documentOf(bytes, name, documents.tree);
  }
  #documentOf(bytes, name, what) {
    const instance = this.#live;
    const file = bytesOf(bytes);
    return instance.withMemory(
      (memory) => instance.makeJson(name, "unshade_json", memory.put(file), file.length, memory.text(name), what).files[0],
    );
  }

  text(what, bytes, name = "") {
    const instance = this.#live;
    const file = bytesOf(bytes);
    const which = indexIn(texts, what, "the text");
    return instance.withMemory((memory) =>
      instance.makeText(name, "unshade_text", memory.put(file), file.length, memory.text(name), which),
    );
  }

  find(piece, { offset = 0, starts, isLast = true } = {}) {
    const instance = this.#live;
    const bytes = bytesOf(piece);
    return instance.withMemory((memory) => {
      const begin = starts ?? bytes.length;
      const list = instance.make("", "unshade_find", memory.put(bytes), bytes.length, BigInt(offset), begin, Number(isLast));
      const hits = instance.list(structs.hit, "unshade_hit_at", list);
      instance.call("unshade_hits_free", list);
      return hits.map(({ reserved: _, family, parent, ...hit }) => ({
        ...hit,
        parent: parent > Number.MAX_SAFE_INTEGER ? null : parent,
        family: families[family],
      }));
    });
  }

  assemble(text, { language = "unknown", container = false, into } = {}) {
    const instance = this.#live;
    return instance.withMemory((memory) => {
      const whole = into === undefined ? null : bytesOf(into);
      const options = memory.struct(structs.assembleOptions, {
        language: indexIn(families, language, "language"),
        container: Number(container),
        into: whole === null ? 0 : memory.put(whole),
        intoSize: whole?.length ?? 0,
      });
      return this.#made("unshade_assemble_with", options, ...memory.sizedText(text));
    });
  }
  /** Calls what makes a file of a text, and messages; an error in the text is one of these. */
  #made(name, ...parameters) {
    const instance = this.#instance;
    let failure = null;
    try {
      instance.tryCall("", name, ...parameters, instance.out, instance.count);
    } catch (error) {
      if (instance.failure !== null) throw error;
      failure = error;
    }
    const file = instance.pointer(instance.out);
    const bytes = file === 0 ? null : instance.copy(instance.call("unshade_blob_data", file), instance.call("unshade_blob_size", file));
    const list = instance.pointer(instance.count);
    const messages = list === 0 ? [] : messagesOf(instance, "unshade_message_at", list);
    instance.call("unshade_blob_free", file);
    instance.call("unshade_messages_free", list);
    if (failure !== null && !messages.some((message) => message.severity === "error")) throw failure;
    return { bytes, messages };
  }
  rootSignatureText(bytes) {
    const instance = this.#live;
    const file = bytesOf(bytes);
    return instance.withMemory((memory) => instance.makeText("", "unshade_root_signature_text", memory.put(file), file.length));
  }
  makeRootSignature(text) {
    return this.#live.withMemory((memory) => this.#made("unshade_root_signature_make", ...memory.sizedText(text)));
  }
  pack(modules, like) {
    return this.#together(modules, (instance, list) =>
      instance.makeBytes("", "unshade_pack", list, modules.length, like === undefined ? 0 : handleOf(like, instance)),
    );
  }
  link(files) {
    return this.#together(files, (instance, list) => instance.makeBytes("", "unshade_link", list, files.length));
  }
  #together(shaders, body) {
    const instance = this.#live;
    const places = shaders.map((shader) => handleOf(shader, instance));
    return instance.withMemory((memory) => body(instance, memory.put(bytesOf(new Uint32Array(places)))));
  }
  build(document) {
    const instance = this.#live;
    const text = typeof document === "string" ? document : JSON.stringify(document);
    return instance.withMemory((memory) => instance.makeBytes("", "unshade_build", ...memory.sizedText(text)));
  }

  scene(document, name = "") {
    const instance = this.#live;
    const text = typeof document === "string" ? document : JSON.stringify(document);
    return instance.withMemory((memory) => new LoadedScene(instance, name, instance.make(name, "unshade_scene_new", ...memory.sizedText(text))));
  }

  get identityKinds() {
    if (this.#identityKinds === undefined) {
      const instance = this.#live;
      this.#identityKinds = [];
      for (let kind; (kind = instance.fill(structs.identityKind, "unshade_identity_kind_at", this.#identityKinds.length)) !== null;)
        this.#identityKinds.push(kind);
    }
    return this.#identityKinds;
  }
}

function messagesOf(instance, name, object) {
  return instance.list(structs.message, name, object);
}

// ---- a file ----

/** The object of a shader in the C interface, for others here. */
let handleOf;

export class Shader {
  #handle;
  #instance;
  #bytes;
  #tree;

  constructor(instance, name, handle) {
    this.#instance = instance;
    this.#handle = new Handle(this, instance, "unshade_shader_free", handle);
    this.name = name;
    const { family, partCount, size: _, ...summary } = instance.fill(structs.summary, "unshade_summarize", handle);
    Object.assign(this, summary, { family: families[family] });
    this.parts = partCount === 0 ? [] : instance.list(structs.part, "unshade_part_at", handle);
  }

  static {
    handleOf = (shader, instance) => {
      if (shader.#instance !== instance) throw new UnshadeError("invalid-argument", "the shaders are of different instances of the module");
      return shader.#handle.at;
    };
  }
  get bytes() {
    const instance = this.#instance;
    const at = this.#handle.at;
    return (this.#bytes ??= instance.copy(instance.call("unshade_shader_data", at), instance.call("unshade_shader_size", at)));
  }
  part(name) {
    const part = this.parts.find((one) => one.name === name);
    if (part === undefined) return null;
    return this.#instance.makeBytes(this.name, "unshade_part_data", this.#handle.at, this.parts.indexOf(part));
  }

  disassemble(options = {}) {
    return decoder.decode(this.disassembleToBytes(options));
  }
  disassembleToBytes(options = {}) {
    return this.#instance.makeBytes(this.name, "unshade_disassemble", this.#handle.at, listingFlagsOf(options));
  }
  listing(options = {}) {
    const instance = this.#instance;
    const listing = instance.make(this.name, "unshade_list", this.#handle.at, listingFlagsOf(options));
    const bytes = instance.copy(instance.call("unshade_listing_text", listing), instance.call("unshade_listing_size", listing));
    const lines = instance.call("unshade_listing_lines", listing, instance.count);
    const lineWords = instance.copyWords(lines, instance.pointer(instance.count) * LineWord.count);
    const tokens = instance.call("unshade_listing_tokens", listing, instance.count);
    const tokenWords = instance.copyWords(tokens, instance.pointer(instance.count) * TokenWord.count);
    instance.call("unshade_listing_free", listing);
    return inUnits(bytes, lineWords, tokenWords);
  }

  graph(options = {}) {
    return JSON.parse(this.#graph("json", options)).files[0];
  }
  drawGraph(form, options = {}) {
    return this.#graph(form, options);
  }
  #graph(form, { function: which, folded = [], listing = {}, lines = 0, columns = 0 }) {
    const instance = this.#instance;
    return instance.withMemory((memory) => {
      const options = memory.struct(structs.graphOptions, {
        file: memory.text(this.name),
        function: which === undefined ? 0 : memory.text(which),
        folded: memory.put(bytesOf(new Uint32Array(folded))),
        foldedCount: folded.length,
        listingFlags: listingFlagsOf(listing),
        lines: lines === Infinity ? asIs : lines,
        columns,
      });
      return instance.makeText(this.name, "unshade_graph", this.#handle.at, indexIn(graphForms, form, "the form"), options);
    });
  }

  get tree() {
    if (this.#tree === undefined) {
      const instance = this.#instance;
      this.#tree = new Tree(instance, instance.make(this.name, "unshade_shader_annotate", this.#handle.at));
    }
    return this.#tree;
  }

  #json(what) {
    const instance = this.#instance;
    return instance.withMemory((memory) =>
      instance.makeText(this.name, "unshade_shader_json", this.#handle.at, memory.text(this.name), what),
    );
  }
  info() {
    return JSON.parse(this.#json(documents.info)).files[0];
  }
  reflection() {
    return JSON.parse(this.#json(documents.reflection)).files[0];
  }
  findings() {
    return JSON.parse(this.#json(documents.findings)).files[0];
  }
  dump() {
    return JSON.parse(this.#json(documents.tree)).files[0];
  }
  identities() {
    return JSON.parse(this.#json(documents.identities)).files[0];
  }
  sources() {
    return JSON.parse(this.#json(documents.sources)).files[0];
  }
  document({ hints = true } = {}) {
    return JSON.parse(this.#json(documents.json + (hints ? 0 : withoutHints)));
  }
  yaml({ hints = true } = {}) {
    return this.#json(documents.yaml + (hints ? 0 : withoutHints));
  }

  text(what) {
    const instance = this.#instance;
    const which = indexIn(texts, what, "the text");
    return instance.withMemory((memory) =>
      instance.makeText(this.name, "unshade_shader_text", this.#handle.at, memory.text(this.name), which),
    );
  }
  rootSignatureText() {
    return this.#instance.makeText(this.name, "unshade_shader_root_signature_text", this.#handle.at);
  }
  reflectionText() {
    return this.#reflected("unshade_reflection_text");
  }
  reflectionHlsl() {
    return this.#reflected("unshade_reflection_hlsl");
  }
  #reflected(name) {
    const instance = this.#instance;
    const reflection = instance.make(this.name, "unshade_reflect", this.#handle.at);
    try {
      return instance.makeText(this.name, name, reflection);
    } finally {
      if (instance.failure === null) instance.call("unshade_reflection_free", reflection);
    }
  }

  identity(kind) {
    const instance = this.#instance;
    try {
      return instance.withMemory((memory) => instance.makeText(this.name, "unshade_identity", this.#handle.at, memory.text(kind)));
    } catch (error) {
      if (error.code === "missing") return null;
      throw error;
    }
  }
  diff(after, { exactText = false } = {}) {
    return this.#compared(after, (instance, names) => instance.makeJson(this.name, "unshade_diff", ...names, Number(exactText)));
  }
  diffText(after, { exactText = false, context = 3 } = {}) {
    return this.#compared(after, (instance, names) =>
      instance.makeText(this.name, "unshade_diff_text", ...names, Number(exactText), context),
    );
  }
  #compared(after, body) {
    const instance = this.#instance;
    const other = handleOf(after, instance);
    return instance.withMemory((memory) => body(instance, [this.#handle.at, memory.text(this.name), other, memory.text(after.name)]));
  }

  #edited(name, ...parameters) {
    const instance = this.#instance;
    const edit = instance.make(this.name, name, this.#handle.at, ...parameters);
    const bytes = instance.copy(instance.call("unshade_edit_data", edit), instance.call("unshade_edit_size", edit));
    const changed = instance.call("unshade_edit_changed", edit) !== 0;
    const notes = [];
    for (let i = 0; i < instance.call("unshade_edit_note_count", edit); ++i)
      notes.push(instance.text(instance.call("unshade_edit_note", edit, i)));
    instance.call("unshade_edit_free", edit);
    return { bytes, changed, notes };
  }
  strip(...what) {
    return this.#edited("unshade_strip", flagsOf(stripFlags, what, "what to strip"));
  }
  rename(items) {
    return this.#instance.withMemory((memory) => {
      const words = items.flatMap(({ what, from, to }) => [indexIn(renames, what, "what to rename"), memory.text(from), memory.text(to)]);
      return this.#edited("unshade_rename", memory.put(bytesOf(new Uint32Array(words))), items.length, 12);
    });
  }
  rebind(items) {
    return this.#instance.withMemory((memory) => {
      const words = items.flatMap(({ kind, from, fromSpace = 0, to, toSpace = asIs }) => [
        kind?.charCodeAt(0) ?? 0,
        from,
        fromSpace,
        to,
        toSpace,
      ]);
      return this.#edited("unshade_rebind", memory.put(bytesOf(new Uint32Array(words))), items.length, 20);
    });
  }
  sign(how = "keep", { hash = false } = {}) {
    return this.#edited("unshade_sign", indexIn(signKinds, how, "how to sign"), Number(hash));
  }
  setField(path, value) {
    return this.#instance.withMemory((memory) => this.#edited("unshade_set_field", memory.text(path), memory.text(value)));
  }
  addPart(name, data) {
    return this.#changePart(partChanges.add, name, bytesOf(data));
  }
  replacePart(name, data) {
    return this.#changePart(partChanges.replace, name, bytesOf(data));
  }
  removePart(name) {
    return this.#changePart(partChanges.remove, name, null);
  }
  setRootSignature(part) {
    const bytes = part === null ? null : bytesOf(part);
    return this.#instance.withMemory((memory) =>
      this.#edited("unshade_root_signature_attach", bytes === null ? 0 : memory.put(bytes), bytes?.length ?? 0),
    );
  }
  embedSources(files) {
    return this.#instance.withMemory((memory) => {
      const words = files.flatMap(({ name, text }) => [memory.text(name), memory.text(text)]);
      return this.#edited("unshade_embed_sources", memory.put(bytesOf(new Uint32Array(words))), files.length, 8);
    });
  }
  #changePart(what, name, data) {
    return this.#instance.withMemory((memory) =>
      this.#edited("unshade_change_part", what, memory.text(name), data === null ? 0 : memory.put(data), data?.length ?? 0),
    );
  }

  program(entry) {
    const instance = this.#instance;
    return instance.withMemory((memory) => {
      const which = entry === undefined ? 0 : memory.text(entry);
      return new Program(instance, this.name, instance.make(this.name, "unshade_program_new", this.#handle.at, which));
    });
  }
  run(input = {}, options = {}) {
    const instance = this.#instance;
    const program = instance.withMemory((memory) => {
      const text = memory.sizedText(caseText(input));
      return new Program(instance, this.name, instance.make(this.name, "unshade_program_of_case", this.#handle.at, ...text));
    });
    try {
      return program.runCase(input, options);
    } finally {
      program.free();
    }
  }

  step(input = {}, { entry, wave = 0, operations = 0, memory: most = 0, record = 0, listing = {} } = {}) {
    const instance = this.#instance;
    const text = caseText(input);
    return instance.withMemory((memory) => {
      const options = memory.struct(structs.sessionOptions, {
        entry: entry === undefined ? 0 : memory.text(entry),
        operations,
        memory: most,
        record,
        wave,
        listingFlags: listingFlagsOf(listing),
      });
      const session = instance.make(this.name, "unshade_session_new", this.#handle.at, options, ...memory.sizedText(text));
      return new Stepper(instance, this.name, session);
    });
  }

  embed({ language = "c", name, listing = false } = {}) {
    const instance = this.#instance;
    return instance.withMemory((memory) => {
      const which = indexIn(sourceLanguages, language, "language");
      return instance.makeText(
        this.name,
        "unshade_embed",
        this.#handle.at,
        which,
        name === undefined ? 0 : memory.text(name),
        Number(listing),
      );
    });
  }

  translate({ entry, targetEnv, bindingModel, shifts, firstSet = 0, heapSet, debugInfo, native = false, flipY = false } = {}) {
    const instance = this.#instance;
    return instance.withMemory((memory) => {
      const text = (word) => (word === undefined ? 0 : memory.text(word));
      const options = memory.struct(structs.translateOptions, {
        file: memory.text(this.name),
        entry: text(entry),
        targetEnv: text(targetEnv),
        bindingModel: text(bindingModel),
        shifts: text(shifts),
        debugInfo: text(debugInfo),
        native: Number(native),
        flipY: Number(flipY),
        hasHeapSet: Number(heapSet !== undefined),
        heapSet: heapSet ?? 0,
        firstSet,
      });
      const [module, document] = instance.makeTwo(this.name, "unshade_translate", this.#handle.at, options);
      return { bytes: module, bindings: JSON.parse(decoder.decode(document)).files[0].bindings };
    });
  }

  decompile({ language, entry, setting, environment, version = 0, flipY = false } = {}) {
    const instance = this.#instance;
    return instance.withMemory((memory) => {
      const text = (word) => (word === undefined ? 0 : memory.text(word));
      const options = memory.struct(structs.decompileOptions, {
        file: memory.text(this.name),
        entry: text(entry),
        language: text(language),
        setting: text(setting),
        environment: text(environment),
        version,
        flipY: Number(flipY),
      });
      const [, document] = instance.makeTwo(this.name, "unshade_decompile", this.#handle.at, options);
      const { language: written, text: source, lines, score } = JSON.parse(decoder.decode(document)).files[0];
      return { language: written, text: source, lines, score };
    });
  }

  free() {
    this.#tree?.free();
    this.#handle.free();
  }
}

function listingFlagsOf(options) {
  let flags = 0;
  for (const [name, wanted] of Object.entries(options)) {
    if (wanted) flags |= flagsOf(listingFlags, [name], "an option of a listing");
  }
  return flags;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

// Places in bytes of UTF-8 become places in the text as JavaScript has it. They differ in lines alone that have more than ASCII.
function inUnits(bytes, lines, tokens) {
  const text = decoder.decode(bytes);
  if (text.length === bytes.length) return { text, lines, tokens };
  let ahead = 0; // bytes by which the places are ahead of those in the text
  let token = 0;
  for (let line = 0; line < lines.length; line += LineWord.count) {
    const start = lines[line + LineWord.text];
    const end = start + lines[line + LineWord.textSize];
    const unitsTo = (at) => decoder.decode(bytes.subarray(start, at)).length;
    const units = unitsTo(end);
    const isPlain = units === end - start;
    for (; token < tokens.length && tokens[token + TokenWord.text] < end; token += TokenWord.count) {
      const at = tokens[token + TokenWord.text];
      if (!isPlain) {
        const first = unitsTo(at);
        tokens[token + TokenWord.textSize] = unitsTo(at + tokens[token + TokenWord.textSize]) - first;
        tokens[token + TokenWord.text] = start - ahead + first;
      } else {
        tokens[token + TokenWord.text] = at - ahead;
      }
    }
    lines[line + LineWord.text] = start - ahead;
    lines[line + LineWord.textSize] = units;
    ahead += end - start - units;
  }
  return { text, lines, tokens };
}

// ---- every byte by name ----

export class Tree {
  #handle;
  #instance;
  #errors;
  #words; // where they are

  constructor(instance, handle) {
    this.#instance = instance;
    this.#handle = new Handle(this, instance, "unshade_tree_free", handle);
    this.#words = instance.call("unshade_tree_fields", handle, instance.count) >>> 0;
    this.count = instance.pointer(instance.count);
    this.names = [];
    for (let name; (name = instance.call("unshade_tree_name", handle, this.names.length)) !== 0;) this.names.push(instance.text(name));
  }

  get words() {
    this.#handle.at; // throws if it was freed
    return new Uint32Array(this.#instance.exports.memory.buffer, this.#words, this.count * FieldWord.count);
  }
  #checked(field) {
    if (!Number.isInteger(field) || field < 0 || field >= this.count)
      throw new UnshadeError("invalid-argument", `there is no field ${field}: the tree has ${this.count}`);
    return field;
  }
  field(number) {
    const at = this.#checked(number) * FieldWord.count;
    const [parent, offset, size, index, name, kind] = this.words.subarray(at, at + FieldWord.count);
    return { number, parent, name: this.names[name], index: index === noOffset ? null : index, offset, size, kind: fieldKinds[kind] };
  }
  path(field) {
    return this.#instance.makeText("", "unshade_tree_path", this.#handle.at, this.#checked(field));
  }
  value(field) {
    return this.#instance.makeText("", "unshade_tree_value", this.#handle.at, this.#checked(field));
  }
  values(first, end) {
    const all = [];
    for (let field = first; field < end; ++field) all.push(this.value(field));
    return all;
  }
  details(field) {
    const all = [];
    for (
      let one;
      (one = this.#instance.fill(structs.detail, "unshade_tree_detail_at", this.#handle.at, this.#checked(field), all.length)) !== null;
    )
      all.push({ ...one, isSet: one.isSet !== 0 });
    return all;
  }
  at(offset) {
    return this.#instance.call("unshade_tree_at", this.#handle.at, BigInt(offset)) >>> 0;
  }
  find(path) {
    return this.#instance.withMemory((memory) => this.#instance.call("unshade_tree_find", this.#handle.at, memory.text(path)) >>> 0);
  }
  get errors() {
    return (this.#errors ??= messagesOf(this.#instance, "unshade_tree_error_at", this.#handle.at));
  }
  free() {
    this.#handle.free();
  }
}

// ---- running ----

export class Program {
  #handle;
  #instance;
  #file;

  constructor(instance, file, handle) {
    this.#instance = instance;
    this.#file = file;
    this.#handle = new Handle(this, instance, "unshade_program_free", handle);
  }

  /** Calls what sets an input: a code, and no error object. */
  #set(name, ...parameters) {
    const code = this.#instance.call(name, this.#handle.at, ...parameters);
    if (code !== 0) throw new UnshadeError(code === 7 ? "limit" : "invalid-argument", "this input cannot be set", { file: this.#file });
  }
  setConstant(variable, values) {
    this.#instance.withMemory((memory) => this.#set("unshade_set_constant", memory.text(variable), ...memory.numbers(values)));
  }
  setBuffer(resource, contents, format) {
    this.#instance.withMemory((memory) => {
      const bytes = typeof contents === "number" ? null : bytesOf(contents);
      const place = bytes === null ? [0, contents] : [memory.put(bytes), bytes.length];
      this.#set("unshade_set_buffer", memory.text(resource), ...place, format === undefined ? 0 : memory.text(format));
    });
  }
  setTexture(resource, width, height, format, texels) {
    this.#instance.withMemory((memory) => {
      const bytes = texels === undefined ? null : bytesOf(texels);
      const place = bytes === null ? [0, 0] : [memory.put(bytes), bytes.length];
      this.#set("unshade_set_texture", memory.text(resource), width, height, memory.text(format), ...place);
    });
  }
  setSampler(sampler, filter, address) {
    this.#instance.withMemory((memory) =>
      this.#set("unshade_set_sampler", memory.text(sampler), memory.text(filter), memory.text(address)),
    );
  }
  setInput(lane, semantic, values) {
    this.#instance.withMemory((memory) => this.#set("unshade_set_input", lane, memory.text(semantic), ...memory.numbers(values)));
  }
  clearLanes() {
    this.#instance.call("unshade_clear_lanes", this.#handle.at);
  }

  #options(memory, { groups = [0, 0, 0], wave = 0, operations = 0, memory: most = 0 }) {
    const [x = 0, y = 0, z = 0] = groups;
    return memory.struct(structs.runOptions, { x, y, z, wave, operations, memory: most });
  }
  run(options = {}) {
    const instance = this.#instance;
    return instance.withMemory(
      (memory) =>
        new Result(instance, this.#file, instance.make(this.#file, "unshade_run", this.#handle.at, this.#options(memory, options))),
    );
  }
  runCase(input, options = {}) {
    const instance = this.#instance;
    const text = caseText(input);
    return instance.withMemory((memory) =>
      instance.makeJson(this.#file, "unshade_run_case", this.#handle.at, ...memory.sizedText(text), this.#options(memory, options)),
    );
  }
  free() {
    this.#handle.free();
  }
}

export class Result {
  #handle;
  #instance;
  #file;

  constructor(instance, file, handle) {
    this.#instance = instance;
    this.#file = file;
    this.#handle = new Handle(this, instance, "unshade_result_free", handle);
    this.stop = instance.text(instance.call("unshade_result_stop", handle));
    this.laneCount = instance.call("unshade_result_lane_count", handle) >>> 0;
  }
  output(lane, semantic) {
    const instance = this.#instance;
    return instance.withMemory((memory) => {
      const name = memory.text(semantic);
      const read = (values, capacity) =>
        instance.call("unshade_result_output", this.#handle.at, lane, name, values, capacity, instance.count);
      const fail = () => {
        throw new UnshadeError("missing", `lane ${lane} has no output ${semantic}`, { path: semantic, file: this.#file });
      };
      if (read(0, 0) !== 0) fail();
      const count = instance.pointer(instance.count);
      const [values] = memory.numbers(new Array(count).fill(0));
      if (read(values, count) !== 0) fail();
      return Array.from(new Float64Array(instance.exports.memory.buffer, values, count));
    });
  }
  discarded(lane) {
    return this.#instance.call("unshade_result_discarded", this.#handle.at, lane) !== 0;
  }
  resource(name) {
    return this.#instance.withMemory((memory) =>
      this.#instance.makeBytes(this.#file, "unshade_result_resource", this.#handle.at, memory.text(name)),
    );
  }
  free() {
    this.#handle.free();
  }
}

// `using shader = unshade.open(bytes)`, where there is such a thing.
if (Symbol.dispose !== undefined) {
  for (const kind of [Shader, Tree, Program, Result, Stepper, LoadedScene, Drawing]) {
    kind.prototype[Symbol.dispose] = function () {
      this.free();
    };
  }
}
