// Numbers of a target as text.
import type { Target } from "unshade";
import { shortest } from "../model/shortest";

/** Components that a format has. */
export function componentsOf({ format, isDepth }: Pick<Target, "format" | "isDepth">): number {
  return isDepth ? 1 : Math.min(4, Math.max(1, format.match(/[RGBA]\d+/g)?.length ?? 4));
}

/** The same with four digits. */
export function shortText(value: unknown): string {
  if (Array.isArray(value)) return value.map(shortText).join(" ");
  return typeof value === "number" ? String(Number(value.toPrecision(4))) : listText(value);
}

export function listText(value: unknown): string {
  if (Array.isArray(value)) return value.map(listText).join(" ");
  if (typeof value === "number") return String(shortest(value));
  return value === null || value === undefined ? "" : String(value);
}
