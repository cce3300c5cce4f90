// The interpreter gives the bits that it gives natively: every sample that runs, on generated inputs and with each width of waves.
import { bytesOf, finish, module, native, samples } from "./support.mjs";

const unshade = await module.load();
const failures = [];
let checked = 0;
let refused = 0;

/** A result as text, or the error's code. */
function ran(path, options) {
  const shader = unshade.open(bytesOf(path), path);
  try {
    return JSON.stringify(shader.run({}, options));
  } catch (error) {
    if (!(error instanceof module.UnshadeError)) throw error;
    return error.code;
  } finally {
    shader.free();
  }
}

for (const path of samples()) {
  for (const wave of [undefined, 4, 64]) {
    const { status, stdout, stderr } = native("run", "--json", ...(wave === undefined ? [] : ["--wave", String(wave)]), path);
    const theirs =
      status === 0
        ? JSON.stringify(JSON.parse(stdout.toString()))
        : (/error\[([a-z-]+)\]/.exec(stderr.toString() + stdout)?.[1] ?? stdout.toString());
    const mine = ran(path, wave === undefined ? {} : { wave });
    checked += 1;
    if (status !== 0) refused += 1;
    if (mine !== theirs) failures.push(`${path}, waves of ${wave}:\n  ${mine.slice(0, 300)}\n  natively ${theirs.slice(0, 300)}`);
  }
}
console.log(`${refused} of them cannot be run, here as natively`);
if (checked - refused < 50) failures.push(`only ${checked - refused} ran`);
finish("runs", checked, failures);
