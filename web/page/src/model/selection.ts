// What is selected: bytes, and the field that they are. Every pane shows it, none owns it.
import type { Content } from "./content.svelte";
import type { Listing } from "./listing";

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

/** What a line of the listing is in the file; of listings that do not know, the line. Lines from 0. */
export function selectLine(content: Content, listing: Listing, line: number): Selection {
  const place = listing.place(line);
  if (place) return selectBytes(content, place.offset, place.size);
  return listing.isPlaced ? nothing : { ...nothing, lines: { first: line, count: 1 } };
}

/** The lines of the listing that are selected, from 0. */
export function linesOf(listing: Listing, { offset, size, lines }: Selection): number[] {
  if (lines) return Array.from({ length: lines.count }, (_, i) => lines.first + i);
  return size > 0 ? listing.linesIn(offset, size) : [];
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
