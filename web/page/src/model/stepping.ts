// Running and stepping, as keys and buttons ask for it.
import { caseText, firstCase } from "./case";
import type { OpenFile } from "./file.svelte";
import { pixelShaderOf } from "./scenetext";
import { linesOf, selectLine } from "./selection";
import type { Workspace } from "./workspace.svelte";

export const steps = {
  run: "Run, or go on to the next breakpoint",
  runBack: "Back to the breakpoint before",
  step: "Step",
  back: "Step back",
  over: "Step over loops and calls",
  cursor: "Go on to the selected line",
  odd: "Go on to the next NaN or infinity",
  restart: "Step from the beginning",
  end: "End stepping",
} as const;
export type Step = keyof typeof steps;

/** The case of a file as text; null while reflection is not there. */
async function caseOf(file: OpenFile): Promise<string | null> {
  const { stepper, reflection } = file.content;
  if (stepper.draft !== null) return stepper.draft;
  const reflected = await reflection.load();
  return reflected ? caseText(firstCase(reflected)) : null;
}

/** The lines that are selected, from 1. */
async function selectedLines(file: OpenFile): Promise<number[]> {
  const listing = await file.content.listing.load();
  return listing ? linesOf(listing, file.selection).map((line) => line + 1) : [];
}

export async function step(workspace: Workspace, what: Step): Promise<void> {
  const { file } = workspace;
  if (!file || file.content.isLarge) return;
  await file.content.stepper.after(() => take(workspace, file, what));
}

async function take(workspace: Workspace, file: OpenFile, what: Step): Promise<void> {
  const { stepper } = file.content;
  if (what === "end") return stepper.end();
  if (!workspace.shown.includes("run")) workspace.show("run", workspace.isSplit && workspace.shown[1] !== "listing" ? 1 : 0);
  const breakpoints = [...stepper.breakpoints];
  const cursor = what === "cursor" ? await selectedLines(file) : [];
  if (what === "cursor" && cursor.length === 0) return workspace.say("Select a line of the listing to go on to.", true);
  if (what === "restart" && stepper.state && stepper.drawing !== "") {
    await stepper.move({ follow: stepper.state.followed });
    return showNext(file);
  }
  const isBegun = stepper.state === null || what === "restart";
  if (isBegun) {
    const input = await caseOf(file);
    if (input === null) return;
    if (what === "run" && breakpoints.length === 0) return stepper.run(input);
    await stepper.record(input);
    if (stepper.state === null) return;
  }
  const isAt = async (lines: readonly number[]) => isBegun && (await stepper.stopsOf(lines)).includes(stepper.state?.next?.line ?? 0);
  switch (what) {
    case "run":
      if (!(await isAt(breakpoints))) await stepper.move({ lines: breakpoints, backwards: false }, "no breakpoint comes: this is the end");
      break;
    case "runBack":
      await stepper.move({ lines: breakpoints, backwards: true }, "no breakpoint was before: this is the beginning");
      break;
    case "cursor":
      if (!(await isAt(cursor))) await stepper.move({ lines: cursor, backwards: false }, "the line does not come again: this is the end");
      break;
    case "odd":
      await stepper.move({ odd: true }, "neither NaN nor infinity comes: this is the end");
      break;
    case "step":
    case "over":
      if (!isBegun) await stepper.move(what === "step" ? { step: 1 } : { over: true }, "this is the end");
      break;
    case "back":
      if (!isBegun) await stepper.move({ step: -1 }, "this is the beginning");
      break;
    case "restart":
      break;
  }
  await showNext(file);
}

/** Opens the shader that ran for a pixel, and steps through its wave. */
export async function stepPixel(workspace: Workspace, scene: OpenFile, event: number, pass: number): Promise<void> {
  const { target, pixel, id, json } = scene.scene;
  if (!target || !pixel) return;
  try {
    const { bytes, state } = await workspace.engine.call("stepPixel", { scene: id, pixel: { target: target.name, ...pixel }, event });
    const shader = pixelShaderOf(json, pass).split("/").at(-1)!;
    const file = workspace.add(`${shader}@${pixel.x},${pixel.y}`, bytes);
    await file.content.family.load();
    await workspace.engine.call("adoptPixel", { file: file.content.id });
    file.content.stepper.adopt(state, scene.name);
    workspace.split(true);
    workspace.show("run", 1);
    workspace.show("listing", 0);
    await showNext(file);
  } catch (error) {
    workspace.complain(error);
  }
}

export async function followWave(file: OpenFile, wave: number): Promise<void> {
  const { stepper } = file.content;
  await stepper.after(async () => {
    await stepper.move({ follow: wave });
    await showNext(file);
  });
}

/** Moves stop only where this lane runs; null: everywhere. */
export async function followLane(file: OpenFile, lane: number | null): Promise<void> {
  const { stepper } = file.content;
  stepper.lane = lane;
  await stepper.after(() => stepper.move({ lane }));
}

/** Selects the instruction that comes next, so that all panes show it. */
async function showNext(file: OpenFile): Promise<void> {
  const line = file.content.stepper.state?.next?.line;
  const listing = await file.content.listing.load();
  if (line && listing) file.selection = selectLine(file.content, listing, line - 1);
}

/** Sets or takes a breakpoint at the selected line. */
export async function toggleBreakpoint(workspace: Workspace): Promise<void> {
  const { file } = workspace;
  if (!file || file.content.isLarge) return;
  const [line] = await selectedLines(file);
  if (line === undefined) return workspace.say("Select a line of the listing for a breakpoint.", true);
  file.content.stepper.toggle(line);
  workspace.say(file.content.stepper.breakpoints.has(line) ? `Breakpoint at line ${line}.` : `No breakpoint at line ${line} any more.`);
}
