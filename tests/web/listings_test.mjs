// Every shader of the corpus and of the samples is listed byte for byte as the native command lists it, and refused for the same reason.
import { allShaders, bytesOf, finish, module, native } from "./support.mjs";

const batchSize = 100;
const unshade = await module.load();
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function utf8(bytes) {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

/** The listing, or the error's code and offset. */
function listed(path) {
  let shader;
  try {
    shader = unshade.open(bytesOf(path), path);
    return { bytes: shader.disassembleToBytes() };
  } catch (error) {
    if (!(error instanceof module.UnshadeError)) throw error;
    return { error: `${error.code} at ${error.offset}` };
  } finally {
    shader?.free();
  }
}

const failures = [];
let checked = 0;
const paths = allShaders();
let errors = 0;
for (let first = 0; first < paths.length; first += batchSize) {
  const batch = paths.slice(first, first + batchSize);
  const printed = JSON.parse(native("dis", "--json", ...batch).stdout.toString());
  const expected = new Map(printed.files.map(({ file, listing }) => [file, { listing }]));
  for (const { file, id, offset } of printed.errors ?? []) expected.set(file, { error: `${id} at ${offset}` });
  for (const path of batch) {
    const mine = listed(path);
    const theirs = expected.get(path);
    checked += 1;
    if (mine.error !== undefined || theirs?.error !== undefined) {
      errors += 1;
      if (mine.error !== theirs?.error) failures.push(`${path}: ${mine.error}, natively ${theirs?.error}`);
      continue;
    }
    // JSON has other text for bytes that are not UTF-8.
    const text = utf8(mine.bytes);
    const isSame = text !== null ? text === theirs?.listing : Buffer.from(mine.bytes).equals(native("dis", path).stdout);
    if (!isSame) failures.push(`${path}: another listing than the native command's`);
  }
}
console.log(`${checked - errors} listed, ${errors} refused`);
finish("listings", checked, failures);
