// The registers of a recorded run, as the pane shows them.
import type { Session } from "unshade";
import { shortest } from "../model/shortest";

export type Register = Session["registers"][number];
export type Value = Register["lanes"][number];

const kComponents = ["x", "y", "z", "w"];

/** Those that the words name, by their beginnings: "r0 r1.x v". Without words, all. */
export function watched(registers: readonly Register[], words: string): readonly Register[] {
  const wanted = words.split(/[\s,]+/).filter((word) => word !== "");
  return wanted.length === 0 ? registers : registers.filter(({ name }) => wanted.some((word) => name.startsWith(word)));
}

/** As many as are shown, those that the last step changed among them. */
export function shownOf(registers: readonly Register[], most: number): readonly Register[] {
  if (registers.length <= most) return registers;
  const changed = registers.filter((register) => register.changed).slice(0, most);
  return [...changed, ...registers.filter((register) => !register.changed).slice(0, most - changed.length)];
}

export interface Row {
  name: string;
  changed: boolean;
  /** Null: none was written, or its components have several. */
  type: Register["type"];
  cells: readonly { value: Value; changed: boolean; type: Register["type"] }[];
}

/** Of one lane: vectors in a row. */
export function vectorsOf(registers: readonly Register[], lane: number): Row[] {
  const rows = new Map<string, Row["cells"][number][]>();
  for (const { name, changed, lanes, type } of registers) {
    const dot = name.lastIndexOf(".");
    const component = kComponents.indexOf(name.slice(dot + 1));
    const base = dot > 0 && component >= 0 ? name.slice(0, dot) : name;
    if (!rows.has(base)) rows.set(base, []);
    rows.get(base)![Math.max(0, component)] = { value: lanes[lane] ?? null, changed, type };
  }
  return [...rows].map(([name, cells]) => {
    const whole = Array.from(cells, (cell) => cell ?? { value: null, changed: false, type: null });
    const types = new Set(whole.map((cell) => cell.type).filter((type) => type !== null));
    return { name, changed: whole.some((cell) => cell.changed), type: types.size === 1 ? [...types][0]! : null, cells: whole };
  });
}

export const readings = ["as computed", "float", "int", "uint", "hex"] as const;
export type Reading = (typeof readings)[number];

const view = new DataView(new ArrayBuffer(4));

/** The bits of a number of 32 bits; null for others. */
function bitsOf(value: Value, type: Register["type"]): number | null {
  if (value === null || type === "double" || type === "bool" || typeof value === "boolean") return null;
  const number = value === "nan" ? NaN : value === "inf" ? Infinity : value === "-inf" ? -Infinity : Number(value);
  if (type === "float") view.setFloat32(0, number);
  else if (number < -(2 ** 31) || number >= 2 ** 32) return null;
  else view.setUint32(0, number >>> 0);
  return view.getUint32(0);
}

/** A value as text, its bits read in another way if that is asked for. */
export function valueText(value: Value, type: Register["type"], reading: Reading): string {
  if (value === null) return "–";
  const bits = reading === "as computed" || (reading === type && typeof value === "number") ? null : bitsOf(value, type);
  if (bits === null) return String(value);
  view.setUint32(0, bits);
  if (reading === "hex") return `0x${bits.toString(16).padStart(8, "0")}`;
  if (reading === "float") return String(shortest(view.getFloat32(0)));
  return String(reading === "int" ? view.getInt32(0) : bits);
}

export const isOdd = (value: Value): boolean => value === "nan" || value === "inf" || value === "-inf";
