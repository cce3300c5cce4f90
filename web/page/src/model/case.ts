// A case to begin with (docs/reference/cases.md): what reflection says a shader takes, with plain values.
import type { Case, Reflection } from "unshade";

type Buffer = Reflection["buffers"][number];
type Resource = Reflection["resources"][number];
type EntryPoint = Reflection["entry_points"][number];

const kQuad = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
] as const;
const kTexels = 4;

export function firstCase(reflection: Reflection): NonNullable<Case> {
  const entry = reflection.entry_points[0];
  const made: NonNullable<Case> = {};
  if (entry?.thread_group) made.grid = [1, 1, 1];
  const constants = Object.fromEntries(reflection.buffers.filter(isConstant).flatMap((buffer) => constantsOf(reflection, buffer)));
  if (Object.keys(constants).length > 0) made.constants = constants;
  const resources = Object.fromEntries(reflection.resources.flatMap(resourceOf));
  if (Object.keys(resources).length > 0) made.resources = resources as NonNullable<NonNullable<Case>["resources"]>;
  const samplers = reflection.resources.filter((resource) => resource.kind === "sampler");
  if (samplers.length > 0) made.samplers = Object.fromEntries(samplers.map((each) => [keyOf(each), { filter: "linear", address: "wrap" }]));
  if (entry && !entry.thread_group && entry.inputs.length > 0) made.lanes = lanesOf(entry);
  return made;
}

const isConstant = (buffer: Buffer) => buffer.kind === "cbuffer" || buffer.kind === "push_constants";
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);

function constantsOf(reflection: Reflection, buffer: Buffer): [string, unknown][] {
  return buffer.variables.flatMap((variable): [string, unknown][] => {
    const type = variable.type === null ? undefined : reflection.types[variable.type];
    if (!type || !variable.used || type.members.length > 0) return [];
    const size = Math.max(1, type.rows * type.columns);
    const isMatrix = String(type.class).startsWith("matrix");
    const one = isMatrix ? zeros(size).map((_, i) => (i % (type.columns + 1) === 0 ? 1 : 0)) : zeros(size);
    const all = type.elements > 0 ? Array.from({ length: type.elements }, () => one).flat() : one;
    return [[variable.name, all.length === 1 ? 0 : all]];
  });
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
    return [[keyOf(resource), { format: "R32G32B32A32_FLOAT", width: kTexels, height: kTexels, ...(isWritten ? {} : { values: gradient() }) }]];
  }
  if (kind.includes("structured")) return [[keyOf(resource), { stride: resource.stride || 16, size: 64 * (resource.stride || 16) }]];
  if (kind.includes("byte")) return [[keyOf(resource), { raw: true, size: 1024 }]];
  return [[keyOf(resource), { format: "R32_FLOAT", size: 1024 }]];
}

/** Red to the right, green downwards. */
function gradient(): number[] {
  const texels: number[] = [];
  for (let y = 0; y < kTexels; ++y) for (let x = 0; x < kTexels; ++x) texels.push(x / (kTexels - 1), y / (kTexels - 1), 0, 1);
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
