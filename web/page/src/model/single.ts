// A page of one file: a template that the build makes (vite.config.ts), with the library, compressed, and a link's fragment in the place of two
// comments. It asks nobody for anything, so that it opens from a disk.
import { fromBase64, through, toBase64 } from "./packed";

export const kTemplate = "single.html";
export const kIsSingle = import.meta.env?.MODE === "single";

const element = (id: string, text: string) => `<script type="text/plain" id="${id}">${text}</script>`;

/** `library`: the WebAssembly. `fragment`: as writeLink() gives it. */
export async function writeSingle(template: string, library: Uint8Array, fragment: string, title: string): Promise<string> {
  const packed = toBase64(await through(library, new CompressionStream("gzip")));
  const escaped = title.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return template
    .replace("<!--module-->", () => element("module", packed))
    .replace("<!--link-->", () => element("link", fragment.replaceAll("<", "%3C")))
    .replace(/<title>.*?<\/title>/, () => `<title>${escaped}</title>`);
}

export async function readModule(): Promise<WebAssembly.Module> {
  const text = document.getElementById("module")?.textContent ?? "";
  if (text === "") throw new Error("this page has no library in it: save it from the explorer");
  const bytes = await through(fromBase64(text), new DecompressionStream("gzip"));
  return WebAssembly.compile(bytes as Uint8Array<ArrayBuffer>);
}

/** The fragment that the page has in it; "" for none. */
export function readFragment(): string {
  return document.getElementById("link")?.textContent ?? "";
}
