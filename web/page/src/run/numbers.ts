// Numbers of a case as people type them.
export type Numeral = number | boolean | "nan" | "inf" | "-inf";
export type Numbers = Numeral | readonly Numeral[];

export function isNumbers(value: unknown): value is Numbers {
  const isOne = (one: unknown) => typeof one === "number" || typeof one === "boolean" || one === "nan" || one === "inf" || one === "-inf";
  return Array.isArray(value) ? value.every(isOne) : isOne(value);
}

export function numbersText(value: Numbers | undefined): string {
  return value === undefined ? "" : Array.isArray(value) ? value.join(" ") : String(value);
}

/** At least one, with spaces or commas between them; null if the text is something else. */
export function readNumbers(text: string): Numeral[] | null {
  const words = text.split(/[\s,;]+/).filter((word) => word !== "");
  const read = words.map((word): Numeral | null => {
    const lower = word.toLowerCase();
    if (lower === "nan" || lower === "inf" || lower === "-inf") return lower;
    if (lower === "true" || lower === "false") return lower === "true";
    const number = Number(lower);
    return Number.isNaN(number) ? null : number;
  });
  return read.length > 0 && !read.includes(null) ? (read as Numeral[]) : null;
}

/** A row of numbers in a value that is made of lists and maps. */
export interface NumbersRow {
  /** "lights[1].color" */
  label: string;
  path: readonly (string | number)[];
  value: Numbers;
}

export function rowsOf(label: string, value: unknown, path: readonly (string | number)[] = []): NumbersRow[] {
  if (isNumbers(value)) return [{ label, path, value }];
  if (Array.isArray(value)) return value.flatMap((each, i) => rowsOf(`${label}[${i}]`, each, [...path, i]));
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, each]) => rowsOf(`${label}.${name}`, each, [...path, name]));
}

/** The value with another in a place of it. */
export function withAt(value: unknown, [first, ...rest]: readonly (string | number)[], inner: unknown): unknown {
  if (first === undefined) return inner;
  if (Array.isArray(value)) return value.map((each, i) => (i === first ? withAt(each, rest, inner) : each));
  return { ...(value as object), [first]: withAt((value as Record<string, unknown>)[first], rest, inner) };
}
