// A case to begin with (docs/reference/cases.md): what reflection says a shader takes, with plain values.
import type { Case, Reflection } from "unshade";

type Buffer = Reflection["buffers"][number];
type Resource = Reflection["resources"][number];
type Type = Reflection["types"][number];
type EntryPoint = Reflection["entry_points"][number];

const kQuad = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
] as const;
const kTexels = 4;
const kFaces = 6;
const kDeepest = 8;
/** Arrays of more numbers are left to the library, which has zeros for them. */
const kMostNumbers = 16384;

export function firstCase(reflection: Reflection): NonNullable<Case> {
  const made: NonNullable<Case> = constantsFor(reflection, 0);
  const resources = Object.fromEntries(reflection.resources.flatMap(resourceOf));
  if (Object.keys(resources).length > 0) made.resources = resources as NonNullable<NonNullable<Case>["resources"]>;
  const samplers = reflection.resources.filter((resource) => resource.kind === "sampler");
  if (samplers.length > 0) made.samplers = Object.fromEntries(samplers.map((each) => [keyOf(each), { filter: "linear", address: "wrap" }]));
  const { grid, lanes } = threadsOf(reflection.entry_points[0]);
  return { ...(grid && { grid }), ...made, ...(lanes && { lanes }) };
}

/** The entry points as a case names them: several of one name with their stages, executables of one stage by number. Null where the file does not tell. */
export function entryNames(reflection: Reflection): (string | null)[] {
  const isOne = (name: string | null, names: (string | null)[]) => names.indexOf(name) === names.lastIndexOf(name);
  const names = reflection.entry_points.map((entry) => entry.name);
  const staged = reflection.entry_points.map(({ name, stage }) => (name === null || isOne(name, names) ? name : `${name}:${stage}`));
  return staged.map((name, at) => (name === null || isOne(name, staged) ? name : String(at)));
}

/** The case for another entry point, which has thread groups or inputs of its own. */
export function withEntry(given: NonNullable<Case>, reflection: Reflection, at: number): NonNullable<Case> {
  const { entry: _entry, grid: _grid, lanes: _lanes, ...kept } = given;
  const entry = entryNames(reflection)[at];
  const constants = reflection.buffers.some((buffer) => executableOf(buffer) !== null) ? constantsFor(reflection, at) : {};
  return { ...(typeof entry === "string" && { entry }), ...kept, ...constants, ...threadsOf(reflection.entry_points[at]) };
}

/** The number of the executable whose uniforms a buffer holds, in an SHBIN of several (`1.c`). */
function executableOf(buffer: Buffer): number | null {
  const number = /^(\d+)\.[cib]$/.exec(buffer.name ?? "")?.[1];
  return number === undefined ? null : Number(number);
}

function constantsFor(reflection: Reflection, at: number): Pick<NonNullable<Case>, "constants"> {
  const isOfEntry = (buffer: Buffer) => isConstant(buffer) && (executableOf(buffer) ?? at) === at;
  const constants = Object.fromEntries(reflection.buffers.flatMap((buffer, index) => (isOfEntry(buffer) ? constantsOf(reflection, buffer, index) : [])));
  return Object.keys(constants).length > 0 ? { constants } : {};
}

function threadsOf(entry: EntryPoint | undefined): Pick<NonNullable<Case>, "grid" | "lanes"> {
  if (!entry) return {};
  if (entry.thread_group) return { grid: [1, 1, 1] };
  return entry.inputs.length > 0 ? { lanes: lanesOf(entry) } : {};
}

/** A case as text, lists of numbers on one line. */
export function caseText(given: Case): string {
  return JSON.stringify(given, null, 2).replace(/\[[^[\]{}]*\]/g, (list) => list.replace(/\s+/g, " ").replace("[ ", "[").replace(" ]", "]"));
}

/** What a text of a case says; undefined if it is none. */
export function readCase(text: string): NonNullable<Case> | undefined {
  try {
    const read: unknown = JSON.parse(text);
    return read !== null && typeof read === "object" && !Array.isArray(read) ? (read as NonNullable<Case>) : undefined;
  } catch {
    return undefined;
  }
}

const isConstant = (buffer: Buffer) => buffer.kind === "cbuffer" || buffer.kind === "push_constants";
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);

/** Of several with one name by the name of the buffer's variable too; arrays of buffers are left to the library. */
function constantsOf(reflection: Reflection, buffer: Buffer, index: number): [string, unknown][] {
  const row = reflection.resources.find((resource) => resource.buffer === index);
  if (row && row.bind_count !== 1) return [];
  const isShared = (name: string) =>
    reflection.buffers.some((other) => other !== buffer && isConstant(other) && other.variables.some((variable) => variable.name === name));
  return buffer.variables.flatMap((variable): [string, unknown][] => {
    const value = variable.used ? valueOf(reflection, variable.type, 0) : undefined;
    return value === undefined ? [] : [[isShared(variable.name) ? `${row?.name ?? buffer.name}.${variable.name}` : variable.name, value]];
  });
}

/** Zeros; of a matrix, which is a list of its rows, the identity. Undefined for what holds no numbers. */
function valueOf(reflection: Reflection, index: number | null | undefined, depth: number): unknown {
  const type = index === null || index === undefined ? undefined : reflection.types[index];
  if (!type || depth > kDeepest) return undefined;
  const one = type.members.length > 0 ? membersOf(reflection, type, depth) : numbersOf(type);
  if (one === undefined || type.elements === 0) return one;
  return type.elements * sizeOf(one) > kMostNumbers ? undefined : Array.from({ length: type.elements }, () => one);
}

function membersOf(reflection: Reflection, type: Type, depth: number): object | undefined {
  const members = type.members.map(({ name, type }) => [name, valueOf(reflection, type, depth + 1)] as const).filter(([, value]) => value !== undefined);
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}

function numbersOf(type: Type): unknown {
  if (!/^(scalar|vector|matrix)/.test(String(type.class))) return undefined;
  if (!String(type.class).startsWith("matrix")) return type.columns > 1 ? zeros(type.columns) : 0;
  return Array.from({ length: type.rows }, (_, row) => zeros(type.columns).map((_, column) => Number(row === column)));
}

function sizeOf(value: unknown): number {
  if (value === null || typeof value !== "object") return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + sizeOf(inner), 0);
}

function keyOf(resource: Resource): string {
  if (resource.register === undefined) return resource.name;
  return resource.register.replace(/^cb/, "b") + (resource.space ? `,space${resource.space}` : "");
}

function resourceOf(resource: Resource): [string, unknown][] {
  const kind = String(resource.kind);
  if (kind === "cbuffer" || kind === "sampler" || resource.register === undefined) return [];
  const isWritten = kind.startsWith("uav") || kind.startsWith("rw") || resource.register.startsWith("u");
  if (String(resource.dimension).startsWith("texture")) {
    const layers = String(resource.dimension).includes("cube") ? kFaces : 1;
    const rows = String(resource.dimension).includes("1d") ? 1 : kTexels;
    const size = { width: kTexels, ...(rows > 1 && { height: rows }), ...(layers > 1 && { layers }) };
    const values = Array.from({ length: layers }, () => gradient(rows)).flat();
    return [[keyOf(resource), { format: "R32G32B32A32_FLOAT", ...size, ...(isWritten ? {} : { values }) }]];
  }
  if (kind.includes("structured")) return [[keyOf(resource), { stride: resource.stride || 16, size: 64 * (resource.stride || 16) }]];
  if (kind.includes("byte")) return [[keyOf(resource), { raw: true, size: 1024 }]];
  return [[keyOf(resource), { format: "R32_FLOAT", size: 1024 }]];
}

/** Red to the right, green downwards. */
function gradient(rows: number): number[] {
  const texels: number[] = [];
  for (let y = 0; y < rows; ++y) for (let x = 0; x < kTexels; ++x) texels.push(x / (kTexels - 1), y / (kTexels - 1), 0, 1);
  return texels;
}

function lanesOf(entry: EntryPoint): NonNullable<NonNullable<Case>["lanes"]> {
  return kQuad.map(([x, y], lane) =>
    Object.fromEntries(
      entry.inputs.map((input) => {
        const name = `${input.semantic}${input.semantic_index || ""}`;
        if (/vertex_?id|instance_?id|primitive_?id/i.test(name)) return [name, lane];
        const isPosition = /position/i.test(name);
        const values = isPosition ? [x + 0.5, y + 0.5, 0, 1] : [x, y, 0, 1];
        return [name, values.slice(0, Math.max(1, input.mask.replaceAll("_", "").length))];
      }),
    ),
  );
}
