// What the tests of the WebAssembly share: the module, the native command, files.
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export const packageFolder = process.env.UNSHADE_PACKAGE;
export const corpusFolder = process.env.UNSHADE_CORPUS;
export const samplesFolder = "tests/data";
export const module = await import(pathToFileURL(join(packageFolder, "unshade.js")));

/** Runs the native command; standard output is bytes. */
export function native(...parameters) {
  return spawnSync(process.env.UNSHADE_COMMAND, parameters, { maxBuffer: 1 << 30 });
}

/** The files below a folder, by name. */
export function filesBelow(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .sort();
}

const suffixes = [".dxbc", ".dxil", ".shbin", ".spv", ".vbc"];
/** Our own shaders. */
export function samples() {
  return filesBelow(samplesFolder).filter((path) => suffixes.some((suffix) => path.endsWith(suffix)));
}
/** Those and the corpus, where it is. */
export function allShaders() {
  const found = corpusFolder === undefined ? [] : filesBelow(corpusFolder);
  return [...samples(), ...found];
}
export function bytesOf(path) {
  return new Uint8Array(readFileSync(path));
}

/** The error that a call throws; null where it does not. */
export function errorOf(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  return null;
}

/** Ends the program with what failed. */
export function finish(what, checked, failures) {
  for (const failure of failures.slice(0, 20)) console.log(failure);
  console.log(`${what}: ${checked} checked, ${failures.length} failed`);
  process.exit(failures.length === 0 && checked > 0 ? 0 : 1);
}
