// Files to the disk.
import type { Workspace } from "../model/workspace.svelte";

export function save(workspace: Workspace): void {
  const content = workspace.content;
  if (!content) return;
  download(content.bytes.toBlob(), content.name.split(/[/:]/).at(-1)!);
  workspace.say(`Saved ${content.name}, ${content.bytes.size.toLocaleString("en")} bytes.`);
}

export function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
