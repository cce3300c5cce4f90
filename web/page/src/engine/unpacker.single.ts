// The same in a page of one file, which has no second module: it would be larger than the rest of the page.
import type { Unpacking } from "./unpacker";

export const canUnpack = false;

export function unpack(): Unpacking {
  throw new Error("a page of one file opens no archives");
}
