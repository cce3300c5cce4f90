// Bytes in pasted text: hexadecimal, base64, or an array of source text, which the library reads.
export type Pasted = { kind: "bytes"; bytes: Uint8Array } | { kind: "source" } | { kind: "none" };

export function readPasted(text: string): Pasted {
  const trimmed = text.trim();
  if (/[{[]/.test(trimmed) && /0x[0-9a-f]+|\d+\s*,/i.test(trimmed)) return { kind: "source" };
  const bytes = fromHex(trimmed) ?? fromBase64(trimmed);
  return bytes ? { kind: "bytes", bytes } : { kind: "none" };
}

/** Pairs of digits; also as dumps print them, with an offset and a colon in front of each line. */
function fromHex(text: string): Uint8Array | null {
  const digits = text
    .split("\n")
    .map((line) => line.replace(/^\s*(0x)?[0-9a-f]+:/i, "").replace(/\s{2,}\S*$|\|.*$/, ""))
    .join(" ")
    .replace(/0x|\\x|[\s,;]/gi, "");
  if (digits.length < 2 || digits.length % 2 !== 0 || !/^[0-9a-f]+$/i.test(digits)) return null;
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}

function fromBase64(text: string): Uint8Array | null {
  const compact = text.replace(/^data:[^,]*;base64,/, "").replace(/\s/g, "").replaceAll("-", "+").replaceAll("_", "/");
  if (compact.length < 4 || !/^[A-Za-z0-9+/]+=*$/.test(compact)) return null;
  try {
    return Uint8Array.from(atob(compact), (c) => c.charCodeAt(0));
  } catch {
    return null;
  }
}
