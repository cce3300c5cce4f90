// Bytes as text, compressed where it is worth it: in links and in pages of one file.
export async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const blob = new Blob([bytes as Uint8Array<ArrayBuffer>]);
  return new Uint8Array(await new Response(blob.stream().pipeThrough(stream)).arrayBuffer());
}

export function toBase64(bytes: Uint8Array): string {
  const kPiece = 0x8000;
  let text = "";
  for (let at = 0; at < bytes.length; at += kPiece) text += String.fromCharCode(...bytes.subarray(at, at + kPiece));
  return btoa(text);
}

export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}
