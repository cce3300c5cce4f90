// What bytes are, read as numbers and text.
export interface Reading {
  as: string;
  text: string;
}

const readings: readonly { as: string; size: number; read: (view: DataView) => string }[] = [
  { as: "unsigned 8", size: 1, read: (v) => String(v.getUint8(0)) },
  { as: "signed 8", size: 1, read: (v) => String(v.getInt8(0)) },
  { as: "unsigned 16", size: 2, read: (v) => String(v.getUint16(0, true)) },
  { as: "float 16", size: 2, read: (v) => real(half(v.getUint16(0, true)), 5) },
  { as: "unsigned 32", size: 4, read: (v) => String(v.getUint32(0, true)) },
  { as: "signed 32", size: 4, read: (v) => String(v.getInt32(0, true)) },
  { as: "float 32", size: 4, read: (v) => real(v.getFloat32(0, true), 9) },
  { as: "unsigned 64", size: 8, read: (v) => String(v.getBigUint64(0, true)) },
  { as: "float 64", size: 8, read: (v) => real(v.getFloat64(0, true), 17) },
];

/** Little endian. */
export function interpret(bytes: Uint8Array): Reading[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = readings.filter(({ size }) => size <= bytes.length).map(({ as, read }) => ({ as, text: read(view) }));
  const text = printable(bytes);
  if (text.length >= 2) found.push({ as: "text", text: `"${text}"` });
  return found;
}

/** The printable characters from the start on. */
function printable(bytes: Uint8Array): string {
  const end = bytes.findIndex((byte) => byte < 0x20 || byte >= 0x7f);
  return String.fromCharCode(...bytes.subarray(0, Math.min(64, end < 0 ? bytes.length : end)));
}

function real(value: number, digits: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(digits))) : String(value);
}

function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
