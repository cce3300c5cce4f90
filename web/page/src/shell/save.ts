// Files to the disk.
import library from "unshade/unshade.wasm?url";
import { kTemplate, writeSingle } from "../model/single";
import type { Workspace } from "../model/workspace.svelte";
import { host } from "./host";

export function save(workspace: Workspace): void {
  const content = workspace.content;
  if (!content) return;
  download(content.bytes.toBlob(), content.name.split(/[/:]/).at(-1)!);
  workspace.say(`Saved ${content.name}, ${content.bytes.size.toLocaleString("en")} bytes.`);
}

/** This page as one file, with the shader and the library in it. */
export async function savePage(workspace: Workspace): Promise<void> {
  const content = workspace.content;
  if (!content) return;
  try {
    const fragment = await workspace.fragment();
    const [template, wasm] = await Promise.all([read(`./${kTemplate}`), read(library)]);
    const text = await writeSingle(await template.text(), new Uint8Array(await wasm.arrayBuffer()), fragment, `${content.name} – unshade`);
    const blob = new Blob([text], { type: "text/html" });
    const name = `${content.name.split(/[/:]/).at(-1)!}.html`;
    download(blob, name);
    workspace.say(`Saved ${name}, ${blob.size.toLocaleString("en")} bytes: a page that opens without a server or a network.`);
  } catch (error) {
    workspace.complain(error);
  }
}

async function read(address: string): Promise<Response> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} could not be read: ${answer.status}.`);
  return answer;
}

export function download(blob: Blob, name: string): void {
  const to = host;
  if (to) {
    void blob.arrayBuffer().then((bytes) => to.postMessage({ name, bytes: new Uint8Array(bytes) }));
    return;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
