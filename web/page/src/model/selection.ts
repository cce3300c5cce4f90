// What is selected: bytes, and the field that they are. Every pane shows it, none owns it.
import type { Content } from "./content.svelte";

export interface Selection {
  offset: number;
  /** Bytes; 0: nothing is selected. */
  size: number;
  /** Of the tree; 0: none. */
  field: number;
  /** Of the listing, from 0, if its lines do not know their bytes. */
  lines?: { first: number; count: number };
}

export const nothing: Selection = { offset: 0, size: 0, field: 0 };

export function selectField(content: Content, field: number): Selection {
  const tree = content.tree.value;
  return tree ? { offset: tree.offset(field), size: tree.size(field), field } : nothing;
}

export function selectBytes(content: Content, offset: number, size: number): Selection {
  return { offset, size, field: content.tree.value?.around(offset, size) ?? 0 };
}

/** What a text names: "0x34", "52", or a path; null where it is neither. */
export function selectNamed(content: Content, text: string): Selection | null {
  const trimmed = text.trim();
  if (/^(0x[0-9a-f]+|\d+)$/i.test(trimmed)) {
    const offset = Number(trimmed);
    return offset < content.bytes.size ? selectBytes(content, offset, 1) : null;
  }
  const field = content.tree.value?.find(trimmed) ?? 0;
  return field === 0 ? null : selectField(content, field);
}
