// What the page asks the worker for. Results are plain data.
import type { AssembleOptions, Detail, Draw, HeatInfo, History, Hit, Message, Run, Session, Stepper, Target } from "unshade";
import type { Host } from "./host";
import { greys } from "./greys";

export interface TreeData {
  words: Uint32Array;
  names: readonly string[];
  errors: readonly Message[];
}

export interface ListingData {
  text: string;
  lines: Uint32Array;
  tokens: Uint32Array;
}

export interface EditData {
  bytes: Uint8Array;
  notes: readonly string[];
}

/** A shader in another language. Lines from 1. */
export interface WrittenData {
  text: string;
  /** What lines of the text are written of: lines of the listing. */
  lines: readonly { line: number; listing: number }[];
  /** What the text is the listing of; null: it is source. */
  bytes: Uint8Array | null;
}

export interface AssembledData {
  bytes: Uint8Array | null;
  messages: readonly Message[];
}

/** How a session is moved. */
export type Move =
  | { step: number }
  | { over: true }
  | { lines: readonly number[]; backwards: boolean }
  | { odd: true }
  | { lane: number | null }
  | { follow: number };

export interface Moved {
  /** Whether it came where it was to. */
  reached: boolean;
  state: Session;
}

export interface Drawn {
  targets: readonly Target[];
  info: Draw;
  frames: number;
}

export interface Image {
  /** Four bytes a pixel. */
  colors: Uint8ClampedArray;
  /** Of a target four a pixel, of a heat map one. */
  numbers: Float32Array;
  heat: HeatInfo | null;
}

/** Of one target; x and y from its top left corner. */
export interface Pixel {
  target: string;
  x: number;
  y: number;
}

function moved(session: Stepper, move: Move): boolean {
  if ("step" in move) return session.step(move.step);
  if ("over" in move) return session.over();
  if ("lines" in move) return session.runTo(move.lines, { backwards: move.backwards });
  if ("odd" in move) return session.runToOdd();
  if ("follow" in move) return session.follow(move.follow);
  session.followLane(move.lane);
  return true;
}

const graphOptions = ({ function: name, folded }: { function?: string; folded?: readonly number[] }) => ({
  ...(name !== undefined && { function: name }),
  ...(folded !== undefined && { folded }),
});

/** What OpLine says of the lines of a SPIR-V listing. */
function linesSaid(text: string): WrittenData["lines"] {
  const lines: { line: number; listing: number }[] = [];
  let listing = 0;
  for (const [at, line] of text.split("\n").entries()) {
    const said = /^ *OpLine %\w+ (\d+) /.exec(line);
    if (said) listing = Number(said[1]);
    else if (/^ *Op(NoLine|FunctionEnd)$|= OpLabel$/.test(line)) listing = 0;
    else if (listing > 0) lines.push({ line: at + 1, listing });
  }
  return lines;
}

export const verbs = {
  add(host: Host, a: { file: number; name: string; bytes: Uint8Array }) {
    host.add(a.file, a.name, a.bytes);
    return host.unshade.identify(a.bytes);
  },
  drop(host: Host, a: { file: number }) {
    host.drop(a.file);
  },
  /** The bytes of a shader in source text. */
  source(host: Host, a: { text: string; array?: string }): Uint8Array {
    const shader = host.unshade.openSource(a.text, a.array);
    const bytes = shader.bytes.slice();
    shader.free();
    return bytes;
  },
  tree(host: Host, a: { file: number }): TreeData {
    const tree = host.tree(a.file);
    return { words: tree.words.slice(), names: [...tree.names], errors: [...tree.errors] };
  },
  values(host: Host, a: { file: number; fields: readonly number[] }): string[] {
    const tree = host.tree(a.file);
    return a.fields.map((field) => tree.value(field));
  },
  details(host: Host, a: { file: number; field: number }): Detail[] {
    return host.tree(a.file).details(a.field);
  },
  listing(host: Host, a: { file: number; exact?: boolean }): ListingData {
    const { text, lines, tokens } = host.shader(a.file).listing({ exact: a.exact ?? false });
    return { text, lines, tokens };
  },
  info(host: Host, a: { file: number }) {
    return host.shader(a.file).info();
  },
  identities(host: Host, a: { file: number }) {
    return host.shader(a.file).identities();
  },
  findings(host: Host, a: { file: number }) {
    return host.findings(a.file);
  },
  reflection(host: Host, a: { file: number }) {
    return host.shader(a.file).reflection();
  },
  hlsl(host: Host, a: { file: number }): string {
    return host.shader(a.file).reflectionHlsl();
  },
  sources(host: Host, a: { file: number }) {
    return host.shader(a.file).sources();
  },
  decompile(host: Host, a: { file: number; language: "hlsl" | "glsl" }): WrittenData {
    const { text, lines } = host.shader(a.file).decompile({ language: a.language });
    return { text, lines: lines.flatMap(({ line, listing_line }) => (listing_line === undefined ? [] : [{ line, listing: listing_line }])), bytes: null };
  },
  translate(host: Host, a: { file: number }): WrittenData {
    const { bytes } = host.shader(a.file).translate({ debugInfo: "lines" });
    const module = host.unshade.open(bytes);
    const { text } = module.listing();
    module.free();
    return { text, lines: linesSaid(text), bytes };
  },
  graph(host: Host, a: { file: number; function?: string; folded?: readonly number[] }) {
    return host.shader(a.file).graph(graphOptions(a));
  },
  graphSvg(host: Host, a: { file: number; function: string; folded: readonly number[] }): string {
    return host.shader(a.file).drawGraph("svg", graphOptions(a));
  },
  find(host: Host, a: { piece: Uint8Array; offset: number; starts: number; isLast: boolean }): readonly Hit[] {
    return host.unshade.find(a.piece, { offset: a.offset, starts: a.starts, isLast: a.isLast });
  },
  diff(host: Host, a: { file: number; with: number }) {
    return host.shader(a.file).diff(host.shader(a.with));
  },
  setField(host: Host, a: { file: number; path: string; value: string }): EditData {
    const { bytes, notes } = host.shader(a.file).setField(a.path, a.value);
    return { bytes, notes };
  },
  assemble(host: Host, a: { file: number; text: string }): AssembledData {
    const shader = host.shader(a.file);
    const options: AssembleOptions = {};
    if (shader.family !== "unknown") options.language = shader.family;
    if (shader.family === "dxil" && shader.parts.length > 0) options.into = shader.bytes;
    const { bytes, messages } = host.unshade.assemble(a.text, options);
    return { bytes, messages };
  },
  run(host: Host, a: { file: number; input: string }) {
    return host.shader(a.file).run(a.input);
  },
  /** Records a run, to be stepped through. */
  record(host: Host, a: { file: number; input: string }): { result: Run; state: Session } {
    const session = host.shader(a.file).step(a.input);
    host.keep(a.file, session);
    return { result: session.result(), state: session.state() };
  },
  move(host: Host, a: { file: number; move: Move }): Moved {
    const session = host.session(a.file);
    const reached = moved(session, a.move);
    return { reached, state: session.state() };
  },
  /** Where breakpoints at lines stop; null: nowhere. */
  stopLines(host: Host, a: { file: number; lines: readonly number[] }): (number | null)[] {
    const session = host.session(a.file);
    return a.lines.map((line) => session.stopLine(line));
  },
  /** Draws a scene; or tells which files it has to be given first. */
  draw(host: Host, a: { scene: number; text: string; files: readonly { name: string; bytes: Uint8Array }[]; frame: number }): Drawn | { missing: string[] } {
    const scene = host.unshade.scene(a.text);
    host.keepScene(a.scene, scene);
    for (const { name, bytes } of a.files) scene.setFile(name, bytes);
    if (scene.missingFiles.length > 0) return { missing: [...scene.missingFiles] };
    try {
      const drawing = scene.draw({ frame: a.frame });
      host.keepScene(a.scene, scene, drawing);
      return { targets: [...drawing.targets], info: drawing.info(), frames: scene.frames };
    } catch (error) {
      if ((error as { code?: string }).code !== "missing" || scene.missingFiles.length === 0) throw error;
      return { missing: [...scene.missingFiles] };
    }
  },
  image(host: Host, a: { scene: number; target: string; heat: HeatInfo["kind"] | null }): Image {
    const drawing = host.drawing(a.scene);
    if (a.heat) {
      const { info, colors, numbers } = drawing.heat(a.heat, a.target);
      return { colors, numbers, heat: info };
    }
    const numbers = drawing.pixels("float", a.target);
    const target = drawing.targets.find(({ name }) => name === a.target);
    const isPlain = target && !target.isDepth && !/INT$/.test(target.format);
    return { colors: isPlain ? drawing.pixels("rgba8", a.target) : greys(numbers), numbers, heat: null };
  },
  history(host: Host, a: { scene: number; pixel: Pixel }): History {
    return host.drawing(a.scene).history(a.pixel);
  },
  /** Records the wave that ran for a pixel; adoptPixel() gives it to the file of its shader. */
  stepPixel(host: Host, a: { scene: number; pixel: Pixel; event: number }): { bytes: Uint8Array; state: Session } {
    const session = host.drawing(a.scene).step({ ...a.pixel, event: a.event });
    host.keepPixel(session);
    return { bytes: session.file, state: session.state() };
  },
  adoptPixel(host: Host, a: { file: number }): void {
    host.adoptPixel(a.file);
  },
  dropScene(host: Host, a: { scene: number }): void {
    host.keepScene(a.scene, null);
  },
  endSession(host: Host, a: { file: number }): void {
    host.keep(a.file, null);
  },
};

export type Verbs = typeof verbs;
export type Verb = keyof Verbs;
export type Arguments<V extends Verb> = Parameters<Verbs[V]>[1];
export type Answer<V extends Verb> = ReturnType<Verbs[V]>;
