// One instance of the WebAssembly: its memory, calls with their errors, and the structs of the C interface.

export const families = ["dxbc", "dxil", "pica", "spirv", "vbc", "unknown"];
const codeNames = ["ok", "truncated", "out-of-range", "bad-magic", "bad-value", "overlap", "cycle", "limit", "unsupported", "missing"];

function nameOfCode(code) {
  if (code === 100) return "out-of-memory";
  if (code === 101) return "invalid-argument";
  return codeNames[code] ?? "unknown";
}

export class UnshadeError extends Error {
  constructor(code, message, { offset = 0, path = "", file = "", cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "UnshadeError";
    this.code = code;
    this.offset = offset;
    this.path = path;
    this.file = file;
  }
}

// Structs: `name:type`, of which s is a text, u and i are 32 bits, U are 64, p is a pointer. Each begins with its size.
export function layout(...members) {
  let at = 4;
  const places = members.map((member) => {
    const [name, type] = member.split(":");
    const size = type === "U" ? 8 : 4;
    at = Math.ceil(at / size) * size;
    const place = { name, type, at };
    at += size;
    return place;
  });
  const widest = places.some((place) => place.type === "U") ? 8 : 4;
  return { places, size: Math.ceil(at / widest) * widest };
}

export const structs = {
  summary: layout("family:i", "instructionCount:u", "size:U", "stage:s", "profile:s", "creator:s", "digest:s", "partCount:u", "trailing:u"),
  part: layout("name:s", "offset:u", "size:u"),
  identityKind: layout("id:s", "tools:s", "summary:s"),
  detail: layout("name:s", "value:u", "firstBit:u", "bitCount:u", "isSet:i", "meaning:s"),
  message: layout("severity:s", "rule:s", "path:s", "text:s", "offset:U", "line:u", "column:u"),
  hit: layout("offset:U", "size:U", "parent:U", "form:s", "certainty:s", "family:i", "reserved:u"),
  translateOptions: layout(
    "file:p",
    "entry:p",
    "targetEnv:p",
    "bindingModel:p",
    "shifts:p",
    "debugInfo:p",
    "native:u",
    "flipY:u",
    "hasHeapSet:u",
    "heapSet:u",
    "firstSet:u",
  ),
  decompileOptions: layout("file:p", "entry:p", "language:p", "setting:p", "environment:p", "version:u", "flipY:u"),
  graphOptions: layout("file:p", "function:p", "folded:p", "foldedCount:u", "listingFlags:u", "lines:u", "columns:u", "reserved:u"),
  assembleOptions: layout("language:i", "container:i", "into:p", "intoSize:u"),
  runOptions: layout("x:u", "y:u", "z:u", "wave:u", "operations:U", "memory:U", "threads:u", "float24:u"),
  sessionOptions: layout("entry:p", "operations:U", "memory:U", "record:U", "wave:u", "listingFlags:u"),
  drawOptions: layout("operations:U", "memory:U", "frame:u", "wave:u", "threads:u", "float24:u"),
  target: layout("name:s", "format:s", "width:u", "height:u", "layers:u", "samples:u", "isDepth:i", "isShown:i"),
  pixel: layout("target:u", "x:u", "y:u", "sample:i", "event:u"),
};

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/** The bytes of anything that has some. */
export function bytesOf(source) {
  if (source instanceof Uint8Array) return source;
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (typeof SharedArrayBuffer === "function" && source instanceof SharedArrayBuffer) return new Uint8Array(source).slice();
  throw new TypeError("bytes must be a Uint8Array or an ArrayBuffer");
}

async function fetched(address) {
  if (address.protocol === "file:" && typeof process === "object") {
    const files = "node:fs/promises"; // in a variable, so that bundlers of pages leave it alone
    const { readFile } = await import(/* @vite-ignore */ /* webpackIgnore: true */ files);
    return readFile(address);
  }
  return fetch(address);
}

/** A module: what is given, or what is at the address that `address` gives. It is not asked where it has none: in a worker made of text. */
export async function compiled(given, address) {
  if (given instanceof WebAssembly.Module) return given;
  const isAddress = given === undefined || typeof given === "string" || given instanceof URL;
  const source = isAddress
    ? await fetched(
        given === undefined ? address() : new URL(given, globalThis.location?.href ?? import.meta.url),
      )
    : await given;
  if (source instanceof WebAssembly.Module) return source;
  if (typeof Response === "function" && source instanceof Response) {
    if (!source.ok) throw new TypeError(`${source.url}: ${source.status} ${source.statusText}`);
    // A server that does not know .wasm sends another type, which compileStreaming() refuses.
    if (source.headers.get("content-type")?.startsWith("application/wasm")) return WebAssembly.compileStreaming(source);
    return WebAssembly.compile(await source.arrayBuffer());
  }
  return WebAssembly.compile(source);
}

// wasi-libc names files and a clock. Of `system`, which may be null, are those that it has; others say that they are not supported.
function imports(module, system) {
  const functions = system?.functions ?? {};
  const all = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind !== "function" || from !== "wasi_snapshot_preview1")
      throw new TypeError(`not the module of unshade: it imports ${from}.${name}`);
    (all[from] ??= {})[name] = functions[name] ?? (() => 52);
  }
  return all;
}

export class Instance {
  /** Why it cannot be used any more. */
  failure = null;

  static async make(module) {
    return new Instance(await WebAssembly.instantiate(module, imports(module, null)), null);
  }
  /** `system`: the files that it has, a System. */
  static makeNow(module, system = null) {
    return new Instance(new WebAssembly.Instance(module, imports(module, system)), system);
  }

  constructor(instance, system) {
    this.exports = instance.exports;
    system?.attach(this.exports.memory);
    this.exports._initialize();
    // Where functions put what they make, and their error; and a struct.
    this.out = this.exports.malloc(16);
    this.error = this.out + 4;
    this.count = this.out + 8;
    this.struct = this.exports.malloc(64);
  }

  /** The memory now: what is called may move it. */
  get bytes() {
    return new Uint8Array(this.exports.memory.buffer);
  }
  get view() {
    return new DataView(this.exports.memory.buffer);
  }

  call(name, ...parameters) {
    if (this.failure !== null) throw new UnshadeError("trap", "the instance that made this has trapped", { cause: this.failure });
    try {
      return this.exports[name](...parameters);
    } catch (cause) {
      // A RuntimeError is a trap; a RangeError is the end of the stack.
      if (!(cause instanceof WebAssembly.RuntimeError) && !(cause instanceof RangeError)) throw cause;
      this.failure = cause;
      const noMemory = this.exports.unshade_web_out_of_memory() !== 0;
      throw new UnshadeError(
        noMemory ? "out-of-memory" : "trap",
        noMemory ? "out of memory" : `the WebAssembly stopped: ${cause.message}`,
        {
          cause,
        },
      );
    }
  }

  /** Calls what returns a code and takes an error last. */
  tryCall(file, name, ...parameters) {
    const code = this.call(name, ...parameters, this.error);
    if (code === 0) return;
    const error = this.pointer(this.error);
    const thrown = new UnshadeError(
      nameOfCode(code),
      (error !== 0 && this.text(this.call("unshade_error_message", error))) || nameOfCode(code),
      {
        offset: error !== 0 ? Number(BigInt.asUintN(64, this.call("unshade_error_offset", error))) : 0,
        path: error !== 0 ? this.text(this.call("unshade_error_path", error)) : "",
        file,
      },
    );
    this.call("unshade_error_free", error);
    throw thrown;
  }
  /** The same, of a function that makes an object. */
  make(file, name, ...parameters) {
    this.tryCall(file, name, ...parameters, this.out);
    return this.pointer(this.out);
  }
  /** The same, of a blob: its bytes or its text. */
  makeBytes(file, name, ...parameters) {
    return this.takeBlob(this.make(file, name, ...parameters));
  }
  /** The same, of two blobs. */
  makeTwo(file, name, ...parameters) {
    this.tryCall(file, name, ...parameters, this.out, this.count);
    return [this.pointer(this.out), this.pointer(this.count)].map((blob) => this.takeBlob(blob));
  }
  takeBlob(blob) {
    const bytes = this.copy(this.call("unshade_blob_data", blob), this.call("unshade_blob_size", blob));
    this.call("unshade_blob_free", blob);
    return bytes;
  }
  makeText(file, name, ...parameters) {
    return decoder.decode(this.makeBytes(file, name, ...parameters));
  }
  makeJson(file, name, ...parameters) {
    return JSON.parse(this.makeText(file, name, ...parameters));
  }

  pointer(at) {
    return this.view.getUint32(at, true);
  }
  // Addresses and sizes that a function returns are signed: those beyond 2 GiB are negative.
  copy(at, size) {
    return this.bytes.slice(at >>> 0, (at >>> 0) + (size >>> 0));
  }
  copyWords(at, count) {
    return new Uint32Array(this.exports.memory.buffer.slice(at >>> 0, (at >>> 0) + 4 * count));
  }
  /** A text that ends in a zero. */
  text(at) {
    if (at === 0) return "";
    const bytes = this.bytes;
    const start = at >>> 0;
    return decoder.decode(bytes.subarray(start, bytes.indexOf(0, start)));
  }

  /** What a function that fills a struct puts there; null where it has none of the index. */
  fill({ places, size }, name, ...parameters) {
    this.view.setUint32(this.struct, size, true);
    if (this.call(name, ...parameters, this.struct) !== 0) return null;
    const view = this.view;
    const made = {};
    for (const { name: member, type, at } of places) {
      const place = this.struct + at;
      if (type === "U") made[member] = Number(view.getBigUint64(place, true));
      else if (type === "i") made[member] = view.getInt32(place, true);
      else made[member] = view.getUint32(place, true);
    }
    for (const { name: member, type } of places) {
      if (type === "s") made[member] = this.text(made[member]);
    }
    return made;
  }
  /** All that an index gets. */
  list(struct, name, object) {
    const all = [];
    for (let one; (one = this.fill(struct, name, object, all.length)) !== null;) all.push(one);
    return all;
  }

  /** Calls `body` with memory that is freed after it. */
  withMemory(body) {
    const memory = new Memory(this);
    try {
      return body(memory);
    } finally {
      memory.free();
    }
  }
}

class Memory {
  #instance;
  #taken = [];

  constructor(instance) {
    this.#instance = instance;
  }
  take(size) {
    const at = this.#instance.call("malloc", Math.max(size, 1)) >>> 0;
    if (at === 0) throw new UnshadeError("out-of-memory", `no memory for ${size} bytes`);
    this.#taken.push(at);
    return at;
  }
  put(bytes) {
    const at = this.take(bytes.length);
    this.#instance.bytes.set(bytes, at);
    return at;
  }
  /** A text with a zero after it. */
  text(text) {
    return this.put(encoder.encode(`${text}\0`));
  }
  /** A text by its place and size: pass both. */
  sizedText(text) {
    const bytes = encoder.encode(text);
    return [this.put(bytes), bytes.length];
  }
  numbers(values) {
    const list = typeof values === "number" ? [values] : values;
    const at = this.take(8 * list.length + 8);
    const aligned = Math.ceil(at / 8) * 8;
    new Float64Array(this.#instance.exports.memory.buffer, aligned, list.length).set(list);
    return [aligned, list.length];
  }
  struct({ places, size }, values) {
    const at = this.take(size);
    const view = this.#instance.view;
    this.#instance.bytes.fill(0, at, at + size);
    view.setUint32(at, size, true);
    for (const { name, type, at: place } of places) {
      if (type === "U") view.setBigUint64(at + place, BigInt(values[name] ?? 0), true);
      else view.setUint32(at + place, values[name] ?? 0, true);
    }
    return at;
  }
  free() {
    if (this.#instance.failure !== null) return;
    for (const at of this.#taken) this.#instance.call("free", at);
  }
}

// What is forgotten is freed when it is collected.
const forgotten = new FinalizationRegistry(({ instance, free, handle }) => {
  if (instance.failure === null) instance.call(free, handle);
});

/** An object of the C interface, which one object here owns. */
export class Handle {
  #handle;
  #free;

  constructor(owner, instance, free, handle) {
    this.instance = instance;
    this.#handle = handle;
    this.#free = free;
    forgotten.register(owner, { instance, free, handle }, this);
  }
  get at() {
    if (this.#handle === 0) throw new UnshadeError("invalid-argument", "this object was freed");
    return this.#handle;
  }
  free() {
    if (this.#handle === 0) return;
    forgotten.unregister(this);
    if (this.instance.failure === null) this.instance.call(this.#free, this.#handle);
    this.#handle = 0;
  }
}
