// unshade in a browser, a worker or Node: the C interface (include/unshade/unshade.h) compiled to WebAssembly, as objects.
//
//   import { load } from "unshade";
//   const unshade = await load();
//   const shader = unshade.open(bytes, "shader.cso");
//   console.log(shader.profile, shader.listing().text);
//   shader.free();
//
// What holds memory of the module has free(), also by `using`; what is forgotten is freed when it is garbage collected. All else is plain data,
// which can be posted to another thread. Every function that can fail throws an UnshadeError.

import type { Case, Decompile, Diff, Document, Draw, Dump, Graph, Hash, Info, Reflect, Run, Scene, Session, Sources, Translate, Validate } from "./json.js";

export type * from "./json.js";

// ---- loading ----

/** `source`: the WebAssembly, its address, or nothing for the unshade.wasm beside this module. */
export function load(source?: URL | string | Response | PromiseLike<Response> | BufferSource | WebAssembly.Module): Promise<Unshade>;

export type Family = "dxbc" | "dxil" | "pica" | "spirv" | "vbc" | "unknown";
export type Bytes = Uint8Array | ArrayBuffer | ArrayBufferView;

export type ErrorCode =
  | "truncated"
  | "out-of-range"
  | "bad-magic"
  | "bad-value"
  | "overlap"
  | "cycle"
  | "limit"
  | "unsupported"
  | "missing"
  | "out-of-memory"
  | "invalid-argument"
  /** The WebAssembly stopped by itself: a fault of unshade. The objects of before can no longer be used; Unshade.open() and the others can. */
  | "trap";

export class UnshadeError extends Error {
  /** Stable; messages are not. */
  readonly code: ErrorCode;
  /** Bytes from the start of the file; of a document or a case, of its text. */
  readonly offset: number;
  /** The field, outermost first: "ISGN/elements[3]/register"; or "". */
  readonly path: string;
  /** The name that was given to open(), or "". */
  readonly file: string;
}

/** The module. One instance of it is used by one thread; load it in each worker. */
export class Unshade {
  private constructor();
  /** "0.1.0" */
  readonly version: string;
  /** To post to a worker, which gives it to load(). */
  readonly module: WebAssembly.Module;
  /** Bytes of memory that the module has taken; never less than before. */
  readonly memorySize: number;

  /** The family that the first bytes tell. */
  identify(bytes: Bytes): Family;
  /** Opens a file of any family. `name`: of the file, for documents and errors. */
  open(bytes: Bytes, name?: string): Shader;
  /** Opens a shader in source text, as fxc /Fh and others write it: the array of a name, or the only one that is a shader. */
  openSource(text: string, array?: string, name?: string): Shader;

  /** The fields of any bytes; of a damaged file as far as it can be read. */
  annotate(bytes: Bytes): Tree;
  /** What the command `validate` finds; the file need not be one that opens. Of one that is open, Shader.findings() does not read it again. */
  validate(bytes: Bytes, name?: string): Findings;
  /** The field tree of any bytes as the document that dump prints. */
  dump(bytes: Bytes, name?: string): DumpedFile;

  /** What the command prints of a file for people: `info`, a line; `dump`, a line for each field; `dump --hex`; `validate`. */
  text(what: "info" | "tree" | "hex" | "findings", bytes: Bytes, name?: string): string;

  /** The shaders inside any bytes, by offset; then what may be one and reaches beyond the end. A file too large for the memory is read in pieces:
   *  `offset` of the piece in the file, `starts`: only those that begin in so many of its first bytes, `isLast`: the file ends with it. */
  find(piece: Bytes, options?: { offset?: number; starts?: number; isLast?: boolean }): Hit[];

  /** Assembles a listing. Errors in the text are messages, and `bytes` is null. */
  assemble(text: string, options?: AssembleOptions): Assembly;
  /** The root signature of a container, a database or a part alone, as the text of [RootSignature("...")]. */
  rootSignatureText(bytes: Bytes): string;
  /** The data of a part RTS0 of such a text, or of HLSL with one. Errors in the text are messages, and `bytes` is null. */
  makeRootSignature(text: string): Assembly;
  /** A VBC of SPIR-V modules, each the stage of its entry point. `like`: a VBC that has what no stage declares. */
  pack(modules: readonly Shader[], like?: Shader): Uint8Array;
  /** One SHBIN of several. */
  link(files: readonly Shader[]): Uint8Array;

  /** The file that a document of Shader.document() describes. A string is its JSON; a YAML text is not read. */
  build(document: Document | string): Uint8Array;

  /** Reads a scene (docs/reference/scenes.md), as an object or as its JSON. `name`: for errors. */
  scene(document: Scene | string, name?: string): LoadedScene;

  /** The ways of naming shaders that Shader.identity() knows. */
  readonly identityKinds: readonly IdentityKind[];
}

// ---- a file ----

export interface Part {
  /** "ISGN"; unprintable characters as \x1f */
  readonly name: string;
  /** Of its header, bytes from the start of the file. */
  readonly offset: number;
  /** Of its data. */
  readonly size: number;
}

export interface ListingOptions {
  /** The file offset in front of each instruction. */
  offsets?: boolean;
  /** Its tokens. */
  bytes?: boolean;
  /** Text that assembles to the very same bytes. */
  exact?: boolean;
  /** DXBC: literals that give their bits back. */
  exactFloats?: boolean;
  /** The program alone. */
  noHeader?: boolean;
  /** SPIR-V: %17, not %main. */
  rawIds?: boolean;
}

export interface GraphOptions {
  /** The only function, as the listing calls it; all without. */
  function?: string;
  /** Blocks of this function whose loop, or whose arms, are drawn as one block. */
  folded?: readonly number[];
  /** Of the listing whose lines the blocks name. */
  listing?: ListingOptions;
  /** Lines of a block's text at most, 40 without; Infinity: all. */
  lines?: number;
  /** Characters of a line at most; 100 without. */
  columns?: number;
}

export class Shader {
  private constructor();
  readonly name: string;
  /** The file. */
  readonly bytes: Uint8Array;
  readonly family: Family;
  /** "pixel", "vertex", "compute", or "" */
  readonly stage: string;
  /** "ps_5_0", or "" */
  readonly profile: string;
  /** The compiler as the file names it, or "". */
  readonly creator: string;
  /** "valid", "valid-debug", "unsigned", "bypass", "preview-bypass", "wrong"; "" for families without a digest */
  readonly digest: string;
  /** Of the statistics; 0 where there are none. */
  readonly instructionCount: number;
  /** Bytes behind the container. */
  readonly trailing: number;
  readonly parts: readonly Part[];
  /** A part's data; null where there is none of the name. */
  part(name: string): Uint8Array | null;

  /** The listing, as the vendor's tool prints it. */
  disassemble(options?: ListingOptions): string;
  /** The same as bytes: texts of files that are not UTF-8 stay as they are. */
  disassembleToBytes(options?: ListingOptions): Uint8Array;
  /** The same with the places of its instructions and the classes of its words. */
  listing(options?: ListingOptions): Listing;

  /** The control flow of each function: blocks, edges, nesting, and where a drawing has them. */
  graph(options?: GraphOptions): ControlFlow;
  /** The same as a picture, for Graphviz, or as an outline. */
  drawGraph(form: "svg" | "dot" | "text", options?: GraphOptions): string;

  /** Every byte by name. Made once for a shader, which frees it. */
  readonly tree: Tree;

  info(): InfoOfFile;
  /** As Unshade.text(), without opening the file again. */
  text(what: "info" | "tree" | "hex" | "findings"): string;
  reflection(): Reflection;
  /** The reflection as tables for people. */
  reflectionText(): string;
  /** The reflection as HLSL declarations. */
  reflectionHlsl(): string;
  findings(): Findings;
  /** The field tree as the document that dump prints. */
  dump(): DumpedFile;
  identities(): Identities;
  /** The source files that the shader carries. */
  sources(): SourcesOfFile;
  /** The root signature as the text of [RootSignature("...")]. Throws "missing". */
  rootSignatureText(): string;
  /** The name that tools give the shader, of a kind in Unshade.identityKinds; null where it has none of the kind. */
  identity(kind: string): string | null;
  /** What differs from this shader to another, by meaning. `exactText`: listings are compared as they are printed. */
  diff(after: Shader, options?: { exactText?: boolean }): Diff;

  /** The same for people, with `context` lines of code around each difference; 3 without. */
  diffText(after: Shader, options?: { exactText?: boolean; context?: number }): string;

  /** The whole file as fields, of which Unshade.build() makes it again. `hints: false`: without offsets, so that the built file may have a
   *  different layout. */
  document(options?: { hints?: boolean }): Document;
  /** The same as YAML, to be read by people and by `unshade build`. */
  yaml(options?: { hints?: boolean }): string;

  // Edits. Each gives the whole file anew; this shader stays as it is. A digest that was right is made right again.

  strip(...what: StripKind[]): Edit;
  rename(items: readonly Rename[]): Edit;
  /** All at once, so that two may change places. */
  rebind(items: readonly Rebind[]): Edit;
  /** Gives a container another digest; with `hash`, makes the HASH part of DXIL right, too. */
  sign(how?: SignKind, options?: { hash?: boolean }): Edit;
  /** Gives a field another value, as Tree.value() shows it (of text, without the quotes). */
  setField(path: string, value: string): Edit;
  addPart(name: string, data: Bytes): Edit;
  replacePart(name: string, data: Bytes): Edit;
  removePart(name: string): Edit;
  /** Gives a container a root signature, of Unshade.makeRootSignature(); takes it off with null. */
  setRootSignature(part: Bytes | null): Edit;
  /** Gives a shader these source files in the place of what it had. */
  embedSources(files: readonly { name: string; text: string }[]): Edit;

  /** Makes the shader ready to run. `entry`: of a module with several; the first without. */
  program(entry?: string): Program;
  /** Runs the shader on a case (docs/reference/cases.md), or without one on generated inputs: the entry point that the case names, or the first. A case
   * names no files. */
  run(input?: Case | string, options?: RunOptions): Run;

  /** Runs the shader on a case, as run() does, and records it to be stepped through. */
  step(input?: Case | string, options?: StepOptions): Stepper;

  /** The shader as an array in source text. */
  embed(options?: { language?: "c" | "cpp" | "rust"; name?: string; listing?: boolean }): string;
  /** The shader as SPIR-V for Vulkan. `entry`: of a module with several, or the number of an executable of a SHBIN; `targetEnv`: "vulkan1.3", or an older
   *  one; `bindingModel`: where resources are bound; `shifts`: of nvrhi (the default) and dxc, what bindings are registers plus, "t=0,s=128,b=256,u=384";
   *  `firstSet`: what sets are spaces plus; `heapSet`: that of descriptor heaps; `debugInfo`: lines of the listing, or its text too, or source; `native`: what SPIR-V leaves open is the device's; `flipY`:
   *  positions are negated in y. */
  translate(options?: {
    entry?: string;
    targetEnv?: string;
    bindingModel?: "nvrhi" | "dxc" | "sdl-gpu" | "vkd3d";
    shifts?: string;
    firstSet?: number;
    heapSet?: number;
    debugInfo?: "lines" | "source" | "hlsl" | "glsl";
    native?: boolean;
    flipY?: boolean;
  }): { bytes: Uint8Array; bindings: BoundResource[] };
  /** The shader as source. `language`: without one, GLSL of SPIR-V and VBC, HLSL of others; `entry`: as of translate(); `setting`: "readable" without one;
   *  of GLSL, `environment`: "vulkan" without one; `version`: 460, 450, 330, of ES 310, 320; `flipY`: positions are negated in y. */
  decompile(options?: {
    language?: "hlsl" | "glsl";
    entry?: string;
    setting?: "exact" | "readable" | "native";
    environment?: "vulkan" | "opengl" | "es";
    version?: number;
    flipY?: boolean;
  }): DecompiledSource;

  free(): void;
  [Symbol.dispose](): void;
}

export type InfoOfFile = Info["files"][number];
export type Reflection = Reflect["files"][number];
export type ControlFlow = Graph["files"][number];
export type Findings = Validate["files"][number];
export type DumpedFile = Dump["files"][number];
export type SourcesOfFile = Sources["files"][number];
export type BoundResource = Translate["files"][number]["bindings"][number];
/** `lines`: what a line of the text (from 1) is written of; `score`: how it reads. */
export type DecompiledSource = Required<Pick<Decompile["files"][number], "language" | "text" | "lines" | "score">>;
export type Identities = Hash["files"][number];

export interface Hit {
  /** Bytes from the start of the file. */
  readonly offset: number;
  /** Bytes; of what is unfinished, those that tell, or 0 if that is not known. */
  readonly size: number;
  /** The offset of the hit that it lies in, or null. */
  readonly parent: number | null;
  readonly form: "container" | "spirv" | "shbin" | "vbc" | "bitcode" | "database" | "";
  readonly certainty: "certain" | "likely" | "possible" | "unfinished";
  readonly family: Family;
}

export interface IdentityKind {
  /** "crc32", "3dmigoto" */
  readonly id: string;
  /** That show it: "ReShade, RenoDX". */
  readonly tools: string;
  /** What it is computed of. */
  readonly summary: string;
}

// ---- listings ----

/** Plain data: can be posted, and its arrays transferred. */
export interface Listing {
  readonly text: string;
  /** LineWord.count words for each line. Places in the text are those of `text`, in UTF-16 units. */
  readonly lines: Uint32Array;
  /** TokenWord.count words for each token, in their order. What is between tokens are punctuation and other words. */
  readonly tokens: Uint32Array;
}

export const LineWord: {
  /** Where the line begins in the text. */
  readonly text: 0;
  /** Its size, without the line end. */
  readonly textSize: 1;
  /** Of its instruction, bytes from the start of the file; noOffset for lines without one. */
  readonly offset: 2;
  /** Bytes of its instruction, or 0. */
  readonly size: 3;
  readonly count: 4;
};

export const TokenWord: {
  readonly text: 0;
  readonly textSize: 1;
  /** An index of tokenClasses. */
  readonly class: 2;
  readonly count: 3;
};

/** 0xffffffff */
export const noOffset: number;

export type TokenClass =
  | "opcode"
  /** A register, an id, a label. */
  | "value"
  | "number"
  /** In quotes. */
  | "text"
  | "comment"
  | "directive";
export const tokenClasses: readonly TokenClass[];

// ---- every byte by name ----

export type FieldKind =
  | "group"
  | "unsigned"
  | "signed"
  | "hexadecimal"
  /** Bytes from the start of the part's data. */
  | "offset"
  | "real"
  | "enumeration"
  | "flags"
  /** Several fields in an integer. */
  | "bits"
  | "component_mask"
  | "fourcc"
  | "text"
  | "bytes"
  | "padding"
  /** Bytes that no description accounts for. */
  | "unknown"
  /** Text made of the bytes, such as an instruction. */
  | "custom";
export const fieldKinds: readonly FieldKind[];

export const FieldWord: {
  /** The group that it is in; field 0, the file, is its own. */
  readonly parent: 0;
  /** Bytes from the start of the file. */
  readonly offset: 1;
  readonly size: 2;
  /** Its place in an array, or noOffset. */
  readonly index: 3;
  /** An index of Tree.names. */
  readonly name: 4;
  /** An index of fieldKinds. */
  readonly kind: 5;
  readonly count: 6;
};

/** A part of a field's value: a field of bits, a flag, or a value that an enumeration may have. */
export interface Detail {
  readonly name: string;
  /** Of the bits; of a flag, its mask; of an enumeration, the number behind the name. */
  readonly value: number;
  /** Of a field of bits. */
  readonly firstBit: number;
  /** Of a field of bits; 0 for others. */
  readonly bitCount: number;
  /** The flag is set, this is the value that the field has; of bits, the value is not 0. */
  readonly isSet: boolean;
  /** Of the value of bits with names; or "". */
  readonly meaning: string;
}

export interface Field {
  readonly number: number;
  readonly parent: number;
  readonly name: string;
  /** Its place in an array, or null. */
  readonly index: number | null;
  /** Bytes from the start of the file. */
  readonly offset: number;
  readonly size: number;
  readonly kind: FieldKind;
}

/** The fields of a file: a flat array, groups before what is in them. Fields are numbers from 0, the file, on. Every byte belongs to a field. */
export class Tree {
  private constructor();
  readonly count: number;
  /** FieldWord.count words for each field, in the module's memory: a view that the next call of anything may detach, so take it anew or
   *  slice() it. */
  readonly words: Uint32Array;
  readonly names: readonly string[];
  field(number: number): Field;
  /** "ISGN/elements[3]/register" */
  path(field: number): string;
  /** The value as text; "" for groups. */
  value(field: number): string;
  /** The values of the fields from `first` to before `end`, for a list that is shown. */
  values(first: number, end: number): string[];
  /** Empty for fields other than bits, flags and enumerations. */
  details(field: number): Detail[];
  /** The field that a byte belongs to; 0 where there is none. */
  at(offset: number): number;
  /** The field of a path; 0 where there is none. */
  find(path: string): number;
  /** Faults that ended the reading of a part; their rules are the codes' names. */
  readonly errors: readonly Message[];
  free(): void;
  [Symbol.dispose](): void;
}

// ---- assembling and edits ----

export interface Message {
  readonly severity: "note" | "warning" | "error";
  /** Stable: "isgn.mask-overlap". */
  readonly rule: string;
  /** Of a field, or "". */
  readonly path: string;
  readonly text: string;
  /** Of the field, bytes from the start of the file. */
  readonly offset: number;
  /** Of an assembler's source, from 1; 0: none. */
  readonly line: number;
  /** From 1, in bytes of UTF-8; 0: the whole line. */
  readonly column: number;
}

export interface AssembleOptions {
  /** Without: what the text looks like. */
  language?: Exclude<Family, "unknown">;
  /** DXIL: a container for the program, with all that follows from it, not bitcode alone. */
  container?: boolean;
  /** DXIL: the container in a copy of which the program takes the place of the one that is there. */
  into?: Bytes;
}

export interface Assembly {
  readonly bytes: Uint8Array | null;
  readonly messages: readonly Message[];
}

export interface Edit {
  /** The whole file. */
  readonly bytes: Uint8Array;
  /** false: the bytes are the file's as they were. */
  readonly changed: boolean;
  /** What could not follow the edit, and why that does no harm. */
  readonly notes: readonly string[];
}

export type StripKind =
  | "debug"
  | "reflection"
  | "private-data"
  | "root-signature"
  | "statistics"
  | "debug-name"
  /** By which programs find uniforms at run time: PICA200, VBC. */
  | "names";

export type SignKind =
  /** Right: of the variant that it is of, if it is of one, else standard. Without `how`, this. */
  | "keep"
  /** As compilers and validators compute it. */
  | "standard"
  | "debug"
  /** The sentinel of a shader that is not to be checked. */
  | "bypass"
  | "preview-bypass"
  | "zero";

export interface Rename {
  what: "entry" | "input" | "output" | "patch" | "resource" | "variable" | "node";
  /** "TEXCOORD1", "g_albedo"; "" with "entry": the only one. */
  from: string;
  to: string;
}

export interface Rebind {
  /** "t", "s", "u", "b" of Direct3D; "c", "i", "b" of the PICA200; nothing where the family has but one kind. */
  kind?: string;
  /** First register, or binding. */
  from: number;
  fromSpace?: number;
  to: number;
  /** Stays without. */
  toSpace?: number;
}

// ---- running ----

export interface RunOptions {
  /** A compute shader's grid, in thread groups; a case has its own. */
  groups?: readonly [number, number, number];
  /** Lanes of a wave: 4, 8, 16, 32, 64, 128. */
  wave?: number;
  /** That all waves may execute before they are stopped; without, 4294967296, or 16777216 if inputs are generated. */
  operations?: number;
  /** Bytes that the resources, and as many that the interpreter may take; 1 GiB without. */
  memory?: number;
}

/**
 * A shader made ready to run, and its inputs, which stay from run to run until they are set again. Resources and samplers have the names of
 * docs/reference/cases.md, "Names of resources": "lights", "maps[3]", "u0".
 */
export class Program {
  private constructor();
  /** A variable of a constant buffer: of a matrix, row by row. What is wrong with names and numbers is told by the runs. */
  setConstant(variable: string, values: number | readonly number[]): void;
  /** A buffer: its bytes, or so many zeros. `format`: of a typed buffer ("R32_FLOAT"). */
  setBuffer(resource: string, contents: Bytes | number, format?: string): void;
  /** A texture of one level, its texels row by row; without bytes, zeros. */
  setTexture(resource: string, width: number, height: number, format: string, bytes?: Bytes): void;
  setSampler(
    sampler: string,
    filter: "point" | "linear" | "anisotropic",
    address: "wrap" | "mirror" | "clamp" | "border" | "mirror_once",
  ): void;
  /** An input of a lane by its semantic, or what the lane knows of itself ("vertex_id"). */
  setInput(lane: number, semantic: string, values: number | readonly number[]): void;
  /** Takes all lanes away. */
  clearLanes(): void;

  /** Runs a compute shader over its grid, any other stage over its lanes. */
  run(options?: RunOptions): Result;
  /** Runs on a case, whose inputs take the place of those that were set. */
  runCase(input: Case | string, options?: RunOptions): Run;

  free(): void;
  [Symbol.dispose](): void;
}

export class Result {
  private constructor();
  /** "finished", or why it stopped. */
  readonly stop: "finished" | "budget" | "fault";
  /** Lanes, or vertices that a geometry shader emitted. */
  readonly laneCount: number;
  /** The components of an output. */
  output(lane: number, semantic: string): number[];
  /** Of a pixel. */
  discarded(lane: number): boolean;
  /** The bytes of a resource that the shader may write, named as in `Program`. */
  resource(name: string): Uint8Array;
  free(): void;
  [Symbol.dispose](): void;
}

// ---- stepping ----

export interface StepOptions {
  /** Of a module with several; that of the case, or the first, without. */
  entry?: string;
  /** Lanes of a wave: 4, 8, 16, 32, 64, 128. */
  wave?: number;
  /** That all waves may execute before they are stopped; without, 4294967296, or 16777216 if inputs are generated. */
  operations?: number;
  /** Bytes that the resources, and as many that the interpreter may take; 1 GiB without. */
  memory?: number;
  /** Bytes of the record, which ends early if it would take more; 128 MiB without. */
  record?: number;
  /** Of the listing whose lines are told: `noHeader` counts. */
  listing?: ListingOptions;
}

/** A run that was recorded, to be stepped through forward and back. What moves gives false where it did not come where it was to, and is at the end
 *  (backwards: the beginning). */
export class Stepper {
  private constructor();
  /** Where it is: the instruction that comes next, its line and active lanes, and registers with those marked that the last step changed. */
  state(): Session;
  /** What the run gave. Throws "missing" for what steps through a drawing. */
  result(): Run;
  /** The file of the shader, whose listing has the lines. */
  readonly file: Uint8Array;
  /** So many steps, below 0 back; 1 without. */
  step(steps?: number): boolean;
  /** Past rounds of loops and calls: to the next instruction of the same function that is behind this one in the listing, or out of it. */
  over(): boolean;
  /** The line of the listing, from 1, at which a breakpoint at this line stops: the line itself, or, if it is not executable (a declaration,
   *  an `endif`), that of the next instruction of the same function that is one; null: there is none. */
  stopLine(line: number): number | null;
  /** To the next step at which a breakpoint at one of these lines stops, or to the one before. */
  runTo(lines: readonly number[], options?: { backwards?: boolean }): boolean;
  /** Behind the next step that writes NaN or an infinity, in the lane that is followed, or in any. */
  runToOdd(): boolean;
  /** Follows another wave, by its place in the state's list, from its beginning; false: there is none, and nothing changes. */
  follow(wave: number): boolean;
  /** From now on moves stop only at instructions that this lane of the wave runs; null: at all. Does not move. */
  followLane(lane: number | null): void;
  free(): void;
  [Symbol.dispose](): void;
}

// ---- drawing ----

export interface DrawOptions {
  /** Of the animation, from 0. */
  frame?: number;
  /** Lanes of a wave: 4, 8, 16, 32, 64, 128; 32 without. */
  wave?: number;
  /** That a draw or dispatch may execute; 4294967296 without. */
  operations?: number;
  /** Bytes that targets and resources, and as many that the interpreter may take; 1 GiB without. */
  memory?: number;
}

/** A scene with the files that it names. */
export class LoadedScene {
  private constructor();
  /** Of its animation; 1 without one. */
  readonly frames: number;
  /** Names of files that the scene names and was not given. Files that a glTF file names are among them after a drawing that failed for want of
   *  them. */
  readonly missingFiles: readonly string[];
  /** Gives it a file under the name that the scene has for it: a shader, a listing, a mesh, the data of a resource, a picture in DDS. */
  setFile(name: string, contents: Bytes): void;
  draw(options?: DrawOptions): Drawing;
  free(): void;
  [Symbol.dispose](): void;
}

export interface Target {
  readonly name: string;
  /** As the scene has it: "R8G8B8A8_UNORM". */
  readonly format: string;
  readonly width: number;
  readonly height: number;
  readonly layers: number;
  readonly samples: number;
  readonly isDepth: boolean;
  /** The one to look at: the first target of the last pass that draws. */
  readonly isShown: boolean;
}

/** A pixel of a target, of the one to look at without a name. */
export interface PixelPlace {
  x: number;
  y: number;
  /** All of the pixel without. */
  sample?: number;
  target?: string;
}

export type History = NonNullable<Draw["history"]>;
export type HeatInfo = NonNullable<Draw["heat"]>;
export interface HeatMap {
  readonly info: HeatInfo;
  /** Four bytes a pixel, for ImageData: from violet (the least number) over green to yellow, black where there is nothing. */
  readonly colors: Uint8ClampedArray;
  /** A number for each pixel; -1 where there is nothing. */
  readonly numbers: Float32Array;
}

export const pixelForms: readonly ("rgba8" | "float" | "stored")[];

/** A scene that was drawn. It is drawn again for each history, heat map and stepper. */
export class Drawing {
  private constructor();
  readonly targets: readonly Target[];
  /** Targets, and what each pass ran, drew and rejected. `resources`: also what the scene's resources hold. */
  info(options?: { resources?: boolean }): Draw;
  /** Four bytes a pixel, for ImageData, of the first layer; sRGB as it is stored. Throws "bad-value" for integers. */
  pixels(form?: "rgba8", target?: string): Uint8ClampedArray;
  /** Four floats a pixel, as a shader would load them; integers become floats. */
  pixels(form: "float", target?: string): Float32Array;
  /** In the target's format; depth as R32_FLOAT or R16_UNORM. */
  pixels(form: "stored", target?: string): Uint8Array;
  /** What became of each primitive at a pixel. With the number of an event, that alone, with a trace of its pixel shader. */
  history(pixel: PixelPlace & { event?: number }): History;
  /** Steps through the pixel shader of an event of the pixel's history: its wave, following the lane of the pixel. */
  step(pixel: PixelPlace & { event: number }, options?: { record?: number }): Stepper;
  /** What each pixel of a target cost: "overdraw", "runs", "instructions", "level", "divergence", "nan". */
  heat(kind: HeatInfo["kind"], target?: string): HeatMap;
  free(): void;
  [Symbol.dispose](): void;
}
