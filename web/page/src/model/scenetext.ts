// Scenes as people write them (docs/reference/scenes.md): TOML or JSON. The library takes JSON.
const kLargest = 4 << 20;

/** The text of a file that is a scene; null for others. */
export function sceneText(name: string, bytes: Uint8Array | null): string | null {
  if (!bytes || bytes.length > kLargest || !/\.(toml|json)$/i.test(name)) return null;
  const text = new TextDecoder().decode(bytes);
  return looksLikeScene(text) ? text : null;
}

export function looksLikeScene(text: string): boolean {
  return /^\s*\[\[\s*pass\s*\]\]/m.test(text) || /^\s*pass\s*=/m.test(text) || /"pass"\s*:/.test(text);
}

/** Of the reader of TOML: one kind for syntax, one for what a text says twice. */
interface TomlError {
  message: string;
  line?: number;
  column?: number;
  location?: { start: { line: number; column: number } };
}

/** As JSON, in which numbers that are not finite are texts. Throws an error that says where the text is wrong. */
export async function sceneJson(text: string): Promise<string> {
  let read: unknown;
  if (/^\s*\{/.test(text)) {
    read = JSON.parse(text);
  } else {
    const { parse } = await import("toml");
    try {
      read = parse(text);
    } catch (error) {
      const { message, location, line = location?.start.line, column = location?.start.column } = error as TomlError;
      throw new Error(line === undefined ? message : `line ${line}, column ${column}: ${message}`);
    }
  }
  return JSON.stringify(read, (_, value: unknown) =>
    typeof value === "number" && !Number.isFinite(value) ? (Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf") : value,
  );
}

/** The file of a pass's pixel shader, for people. */
export function pixelShaderOf(json: string, pass: number): string {
  const passes = (JSON.parse(json) as { pass?: { pixel?: string | { file?: string } }[] }).pass ?? [];
  const pixel = passes[pass]?.pixel;
  return (typeof pixel === "string" ? pixel : pixel?.file) ?? "pixel shader";
}
