// What the page asks the worker for. Results are plain data.
import type { AssembleOptions, Detail, Hit, Message, Run, Session, Stepper } from "unshade";
import type { Host } from "./host";

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
    return host.unshade.validate(host.bytes(a.file), host.name(a.file));
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
  endSession(host: Host, a: { file: number }): void {
    host.keep(a.file, null);
  },
};

export type Verbs = typeof verbs;
export type Verb = keyof Verbs;
export type Arguments<V extends Verb> = Parameters<Verbs[V]>[1];
export type Answer<V extends Verb> = ReturnType<Verbs[V]>;
