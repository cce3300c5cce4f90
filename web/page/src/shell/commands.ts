// All that can be done by name or key: for the keyboard, the palette and the list of keys.
import { selectField } from "../model/selection";
import { step as runOrStep, steps, toggleBreakpoint, type Step } from "../model/stepping";
import { views } from "../model/views";
import type { Workspace } from "../model/workspace.svelte";
import { kIsSingle } from "../model/single";
import { host } from "./host";
import { save, savePage } from "./save";

/** Dialogs that a command opens. */
export type Panel = "commands" | "place" | "find" | "paste" | "keys";

export interface Command {
  title: string;
  /** "Ctrl+K"; letters without Ctrl count if no text is typed. */
  keys: string;
  run: (workspace: Workspace, open: (panel: Panel) => void) => void;
}

/** The leaf before or behind the selection. */
function step(workspace: Workspace, by: -1 | 1): void {
  const file = workspace.file;
  const tree = file?.content.tree.value;
  if (!file || !tree) return;
  const { offset, size } = file.selection;
  const field = tree.neighbour(by === 1 ? offset + Math.max(0, size - 1) : offset, size === 0 ? 1 : by);
  if (field !== 0) workspace.select(selectField(file.content, field));
}

function parent(workspace: Workspace): void {
  const file = workspace.file;
  const tree = file?.content.tree.value;
  if (!file || !tree || file.selection.field === 0) return;
  const up = tree.parent(file.selection.field);
  if (up !== 0) workspace.select(selectField(file.content, up));
}

/** Shows the selection in the other group, which takes the focus. */
function other(workspace: Workspace): void {
  if (!workspace.isSplit) return;
  workspace.group = workspace.group === 0 ? 1 : 0;
  document.querySelector<HTMLElement>(`#panel-${workspace.group} [tabindex="0"]`)?.focus();
}

/** RenderDoc's keys, where it has them. */
const stepKeys: Record<Step, string> = {
  run: "F5",
  runBack: "Shift+F5",
  step: "F10",
  back: "Shift+F10",
  over: "F11",
  cursor: "Ctrl+F10",
  odd: "Ctrl+F9",
  restart: "Ctrl+Shift+F5",
  end: "Shift+F11",
};

const copyLink: Command = {
  title: "Copy a link that carries the file",
  keys: "l",
  run: (workspace) =>
    void workspace.link().then(
      async (link) => {
        await navigator.clipboard.writeText(link);
        workspace.say(`Link copied: ${link.length.toLocaleString("en")} characters, with the file in them.`);
      },
      (error: unknown) => workspace.complain(error),
    ),
};

export const commands: readonly Command[] = [
  { title: "Open files", keys: "Ctrl+O", run: () => document.getElementById("open-files")?.click() },
  { title: "Open a folder", keys: "", run: () => document.getElementById("open-folder")?.click() },
  { title: "Paste hexadecimal, base64 or an array", keys: "p", run: (_, open) => open("paste") },
  { title: "Save the file", keys: "Ctrl+S", run: (workspace) => save(workspace) },
  ...(kIsSingle ? [] : [{ title: "Save as a page of one file", keys: "", run: (workspace: Workspace) => void savePage(workspace) }]),
  ...(host ? [] : [copyLink]), // the page has no address in an editor
  { title: "Undo the last edit", keys: "Ctrl+Z", run: (workspace) => void workspace.file?.undo() },
  { title: "Redo", keys: "Ctrl+Shift+Z", run: (workspace) => void workspace.file?.redo() },
  { title: "Close the file", keys: "", run: (workspace) => workspace.file && workspace.close(workspace.file) },
  { title: "Previous field", keys: "[", run: (workspace) => step(workspace, -1) },
  { title: "Next field", keys: "]", run: (workspace) => step(workspace, 1) },
  { title: "Group around the selection", keys: "Alt+ArrowUp", run: parent },
  { title: "Other editor group", keys: "Enter", run: other },
  { title: "Go to an offset or path", keys: "g", run: (_, open) => open("place") },
  { title: "Find bytes, text, a number or a path", keys: "/", run: (_, open) => open("find") },
  { title: "Commands", keys: "Ctrl+K", run: (_, open) => open("commands") },
  { title: "One or two editor groups", keys: "\\", run: (workspace) => workspace.split(!workspace.isSplit) },
  { title: "Light, dark, or as the system", keys: "", run: () => nextTheme() },
  ...views.map((view, i): Command => ({
    title: `Show ${view.title}`,
    keys: String(i + 1),
    run: (workspace) => workspace.show(view.id),
  })),
  ...(Object.keys(steps) as Step[]).map((what): Command => ({
    title: steps[what],
    keys: stepKeys[what],
    run: (workspace) => void runOrStep(workspace, what),
  })),
  { title: "Breakpoint at the selected line", keys: "F9", run: (workspace) => void toggleBreakpoint(workspace) },
  { title: "List of keys", keys: "?", run: (_, open) => open("keys") },
];

function nextTheme(): void {
  const root = document.documentElement;
  const next = { "": "dark", dark: "light", light: "" }[root.dataset.theme ?? ""] ?? "";
  if (next === "") delete root.dataset.theme;
  else root.dataset.theme = next;
}

/** The command of a key press; none while text is typed, but for those with Ctrl. */
export function commandOf(event: KeyboardEvent): Command | undefined {
  const target = event.composedPath()[0] as HTMLElement;
  const isTyping = target.matches("input, textarea, select") || (target.isContentEditable && target.getAttribute("aria-readonly") !== "true");
  const hasControl = event.ctrlKey || event.metaKey;
  const isFunctionKey = /^F\d+$/.test(event.key);
  if (isTyping && !isFunctionKey && !(hasControl && /^[kos]$/i.test(event.key))) return undefined;
  const isButton = target.matches("button, a, summary, [role=tab]");
  if (event.key === "Enter" && isButton) return undefined;
  const name = [hasControl && "Ctrl", event.altKey && "Alt", event.shiftKey && (hasControl || isFunctionKey) && "Shift", event.key.length === 1 && hasControl ? event.key.toUpperCase() : event.key];
  const keys = name.filter(Boolean).join("+");
  return commands.find((command) => command.keys === keys);
}
