// A file in the fragment of an address, which never leaves the browser:
// #v1&n=NAME&z=BASE64URL(deflate-raw)&at=PATH&view=listing,hex&wn=NAME&with=BASE64URL(deflate-raw)
import { fromBase64, through, toBase64 } from "./packed";

export interface Linked {
  name: string;
  bytes: Uint8Array;
}

export interface Link {
  file: Linked;
  with?: Linked;
  at: string;
  views: string[];
}

async function pack(bytes: Uint8Array): Promise<string> {
  const packed = await through(bytes, new CompressionStream("deflate-raw"));
  return toBase64(packed).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

async function unpack(text: string): Promise<Uint8Array> {
  return through(fromBase64(text.replaceAll("-", "+").replaceAll("_", "/")), new DecompressionStream("deflate-raw"));
}

export async function writeLink(link: Link): Promise<string> {
  const fields = new URLSearchParams({ n: link.file.name, z: await pack(link.file.bytes) });
  if (link.at) fields.set("at", link.at);
  if (link.views.length > 0) fields.set("view", link.views.join(","));
  if (link.with) {
    fields.set("wn", link.with.name);
    fields.set("with", await pack(link.with.bytes));
  }
  return `#v1&${fields}`;
}

/** Null for a fragment that is no link. Throws where the file in it is damaged. */
export async function readLink(fragment: string): Promise<Link | null> {
  if (!fragment.startsWith("#v1&")) return null;
  const fields = new URLSearchParams(fragment.slice(4));
  const file = fields.get("z");
  if (file === null) return null;
  const other = fields.get("with");
  return {
    file: { name: fields.get("n") ?? "linked", bytes: await unpack(file) },
    ...(other !== null && { with: { name: fields.get("wn") ?? "other", bytes: await unpack(other) } }),
    at: fields.get("at") ?? "",
    views: (fields.get("view") ?? "").split(",").filter((view) => view !== ""),
  };
}
