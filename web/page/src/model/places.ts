// Where in the file the things are that reflection tells of: the record of each where there is one, else where its name is written.
import type { Content } from "./content.svelte";
import { findBytes } from "./find";
import { selectBytes, selectField, selectNamed, type Selection } from "./selection";

/** Parts with the elements of a signature; a file has one of each list at most. */
const signatures = {
  inputs: ["ISGN", "ISG1"],
  outputs: ["OSGN", "OSG5", "OSG1"],
  patch_constants: ["PCSG", "PSG1"],
} as const;
export type SignatureList = keyof typeof signatures;

export function placeOfElement(content: Content, list: SignatureList, index: number, name: string): Selection | null {
  for (const part of signatures[list]) {
    const place = selectNamed(content, `${part}/elements[${index}]`);
    if (place) return place;
  }
  return placeOfName(content, name);
}

export function placeOfResource(content: Content, index: number, name: string): Selection | null {
  return selectNamed(content, `RDEF/bindings[${index}]`) ?? placeOfName(content, name);
}

export function placeOfBuffer(content: Content, index: number, name: string): Selection | null {
  return selectNamed(content, `RDEF/constant_buffers[${index}]`) ?? placeOfName(content, name);
}

export function placeOfVariable(content: Content, buffer: number, index: number, name: string): Selection | null {
  return selectNamed(content, `RDEF/constant_buffers[${buffer}]/variables[${index}]`) ?? placeOfName(content, name);
}

function placeOfName(content: Content, name: string): Selection | null {
  const bytes = content.bytes.whole;
  const tree = content.tree.value;
  if (!bytes || !tree || name === "") return null;
  const at = findBytes(bytes, [...new TextEncoder().encode(name), 0], -1);
  if (at < 0) return null;
  const field = tree.at(at);
  return tree.kind(field) === "text" ? selectField(content, field) : selectBytes(content, at, name.length);
}
