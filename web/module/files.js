// The module unshade-files.wasm: shaders in what is packed, and databases of shaders. files.d.ts says what it has.
import { Handle, Instance, UnshadeError, bytesOf, compiled, families, layout, structs } from "./instance.js";
import { System } from "./system.js";

export { UnshadeError };

const none = 2 ** 64; // an offset that is not there
const unpackStreams = 1;
const openFlags = { make: 1, keep: 2, text: 4 };
const addFlags = { update: 1, decompress: 2 };
const conditions = { text: 0, binds: 1, uses: 2, hash: 3, where: 4, words: 5 };
const packedShader = layout("offset:U", "size:U", "parent:U", "form:s", "certainty:s", "stage:s", "profile:s", "family:i", "layerCount:u");
const layer = layout("form:s", "member:s", "offset:U");
const addOptions = layout("flags:u", "threads:u");
const totals = layout("files:U", "unchanged:U", "removed:U", "bytes:U", "shaders:U", "added:U");
const mergedTotals = layout("files:U", "replaced:U", "added:U");
const searchOptions = layout("like:p", "threshold:U", "regex:p", "ignoreCase:u", "context:u", "threads:u", "reserved:u", "limit:U");

function flagsOf(table, options) {
  return Object.entries(table).reduce((flags, [name, flag]) => flags | (options[name] ? flag : 0), 0);
}
function listOf(texts) {
  return texts === undefined || texts === null ? [] : typeof texts === "string" ? [texts] : [...texts];
}
function wordsOf(memory, words) {
  return memory.put(bytesOf(new Uint32Array(words)));
}
/** The counts of a struct that a function has filled. */
function countsOf(instance, struct, at) {
  const view = instance.view;
  return Object.fromEntries(struct.places.map(({ name, at: member }) => [name, Number(view.getBigUint64(at + member, true))]));
}
/** The bits of a double. */
function bitsOf(value) {
  return new BigUint64Array(new Float64Array([value]).buffer)[0];
}

/** Messages, which are freed. */
function takenMessages(instance, messages) {
  if (messages === 0) return [];
  const all = instance.list(structs.message, "unshade_message_at", messages);
  instance.call("unshade_messages_free", messages);
  return all.map(({ path, rule, text, offset }) => ({ file: path, code: rule, message: text, offset }));
}

export async function loadFiles({ source, fs = null, folder = fs === null ? "/" : process.cwd() } = {}) {
  return new Files(await compiled(source, () => new URL("./unshade-files.wasm", import.meta.url)), fs, folder);
}

export class Files {
  #system;
  #folder;
  #instance = null;
  #indexes = 0;

  constructor(module, fs, folder) {
    this.module = module;
    this.#folder = folder;
    this.#system = new System(fs, folder);
    this.#make();
  }
  #make() {
    this.#instance = Instance.makeNow(this.module, this.#system);
    if (this.#folder !== "/") this.#instance.withMemory((memory) => this.#instance.call("chdir", memory.text(this.#folder)));
  }
  /** The instance, a new one after a trap. */
  get #live() {
    if (this.#instance.failure !== null) this.#make();
    return this.#instance;
  }

  unpack(bytes, { decompress = false } = {}) {
    const instance = this.#live;
    const file = bytesOf(bytes);
    const flags = decompress ? unpackStreams : 0;
    return instance.withMemory((memory) => unpacked(instance, instance.make("", "unshade_unpack", memory.put(file), file.length, flags)));
  }
  unpackFile(path, { decompress = false } = {}) {
    const instance = this.#live;
    const flags = decompress ? unpackStreams : 0;
    return instance.withMemory((memory) => unpacked(instance, instance.make(path, "unshade_unpack_file", memory.text(path), flags)));
  }

  newIndex({ keep = false, text = false } = {}) {
    return this.#memoryIndex(new Uint8Array(0), { make: true, keep, text });
  }
  openIndex(source, options = {}) {
    if (typeof source === "string") return new Index(this.#live, this.#system, source, options);
    return this.#memoryIndex(bytesOf(source).slice(), { make: true });
  }
  #memoryIndex(bytes, options) {
    const path = `${System.memoryFolder}/${++this.#indexes}`;
    this.#system.put(path, bytes);
    try {
      // An empty file becomes a database where one is made; bytes that are none are an error.
      if (bytes.length === 0 && options.keep === undefined) throw new UnshadeError("bad-magic", "the database is empty");
      return new Index(this.#live, this.#system, path, options);
    } catch (error) {
      this.#system.remove(path);
      throw error;
    }
  }
}

function unpacked(instance, packed) {
  try {
    const shaders = instance.list(packedShader, "unshade_packed_at", packed).map(({ family, layerCount, ...shader }, number) => {
      const layers = [];
      for (let i = 0; i < layerCount; ++i) {
        const { form, member, offset } = instance.fill(layer, "unshade_packed_layer_at", packed, number, i);
        layers.push({ form, member: member || null, offset: offset === none ? null : offset });
      }
      const bytes = instance.makeBytes("", "unshade_packed_data", packed, number);
      return { ...shader, parent: shader.parent === none ? null : shader.parent, family: families[family], layers, bytes };
    });
    const faults = instance
      .list(structs.message, "unshade_packed_fault_at", packed)
      .map(({ path, rule, text, offset }) => ({ layers: path, code: rule, message: text, offset }));
    return { shaders, faults };
  } finally {
    if (instance.failure === null) instance.call("unshade_packed_free", packed);
  }
}

export class Index {
  #handle;
  #instance;
  #system;
  #path;

  constructor(instance, system, path, options) {
    this.#instance = instance;
    this.#system = system;
    this.#path = path;
    const opened = instance.withMemory((memory) =>
      instance.make(path, "unshade_index_open", memory.text(path), flagsOf(openFlags, options)),
    );
    this.#handle = new Handle(this, instance, "unshade_index_free", opened);
  }

  get bytes() {
    this.#handle.at; // throws if it was freed
    return this.#system.get(this.#path);
  }

  add(files, { update = true, decompress = false } = {}) {
    const instance = this.#instance;
    const names = files.map((file) => (typeof file === "string" ? file : file.name));
    const given = files.filter((file) => typeof file !== "string");
    for (const { name, bytes } of given) this.#system.put(name, bytesOf(bytes).slice());
    try {
      return instance.withMemory((memory) => {
        const list = wordsOf(
          memory,
          names.map((name) => memory.text(name)),
        );
        const options = memory.struct(addOptions, { flags: flagsOf(addFlags, { update, decompress }) });
        const sums = memory.struct(totals, {});
        const parameters = [list, names.length, list, names.length, options, sums, instance.out];
        instance.tryCall(this.#path, "unshade_index_add", this.#handle.at, ...parameters);
        const faults = takenMessages(instance, instance.pointer(instance.out));
        return { ...countsOf(instance, totals, sums), faults };
      });
    } finally {
      for (const { name } of given) this.#system.remove(name);
    }
  }
  remove(file) {
    this.#instance.withMemory((memory) =>
      this.#instance.tryCall(this.#path, "unshade_index_remove", this.#handle.at, memory.text(file)),
    );
  }
  merge(others) {
    const instance = this.#instance;
    const given = []; // bytes, as files in memory
    const names = others.map((other) => {
      if (typeof other === "string") return other;
      if (other instanceof Index && other.#system === this.#system) {
        other.#handle.at; // throws if it was freed
        return other.#path;
      }
      const name = `${System.memoryFolder}/merged/${given.length}`;
      this.#system.put(name, other instanceof Index ? other.bytes : bytesOf(other).slice());
      given.push(name);
      return name;
    });
    try {
      return instance.withMemory((memory) => {
        const list = wordsOf(
          memory,
          names.map((name) => memory.text(name)),
        );
        const sums = memory.struct(mergedTotals, {});
        instance.tryCall(this.#path, "unshade_index_merge", this.#handle.at, list, names.length, sums);
        return countsOf(instance, mergedTotals, sums);
      });
    } finally {
      for (const name of given) this.#system.remove(name);
    }
  }
  check() {
    this.#instance.tryCall(this.#path, "unshade_index_check", this.#handle.at);
  }
  stats() {
    return this.#instance.makeJson(this.#path, "unshade_index_stats", this.#handle.at, 0).files[0];
  }

  search(text, { like, threshold, regex, ignoreCase = false, context = 0, limit = 0, ...others } = {}) {
    const instance = this.#instance;
    return instance.withMemory((memory) => {
      const words = Object.entries(conditions).flatMap(([name, what]) =>
        listOf(name === "text" ? text : others[name]).flatMap((value) => [what, memory.text(value)]),
      );
      let shader = 0;
      try {
        if (like !== undefined) {
          const file = bytesOf(like);
          shader = instance.make("", "unshade_open", memory.put(file), file.length);
        }
        const options = memory.struct(searchOptions, {
          like: shader,
          threshold: bitsOf((threshold ?? (like === undefined ? 0 : 50)) / 100),
          regex: regex === undefined ? 0 : memory.text(regex),
          ignoreCase: Number(ignoreCase),
          context,
          threads: 1,
          limit,
        });
        const parameters = [wordsOf(memory, words), words.length / 2, 8, options, instance.count];
        const rows = instance.makeText(this.#path, "unshade_index_search", this.#handle.at, ...parameters);
        const gone = takenMessages(instance, instance.pointer(instance.count));
        if (gone.length > 0) throw new UnshadeError("missing", gone[0].message, { file: gone[0].file });
        return rows.split("\n").filter(Boolean).map((row) => JSON.parse(row));
      } finally {
        if (shader !== 0 && instance.failure === null) instance.call("unshade_shader_free", shader);
      }
    });
  }

  free() {
    this.#handle.free();
    if (this.#path.startsWith(`${System.memoryFolder}/`)) this.#system.remove(this.#path);
  }
}

if (Symbol.dispose !== undefined) {
  Index.prototype[Symbol.dispose] = function () {
    this.free();
  };
}
