// What became of a fragment, in words.
import type { History } from "unshade";

type Fate = History[number]["fate"];

export const fates: Record<Fate, string> = {
  written: "landed, and its value is what the target has",
  "blend result": "landed, blended with what was there",
  "logic operation": "landed, combined bit by bit with what was there",
  "write mask": "not written: the write mask excludes every component",
  facing: "culled: this side is not drawn",
  clip: "clipped: outside the view volume",
  "clip distance": "clipped by a distance that the shader gives",
  "cull distance": "culled by a distance that the shader gives",
  scissor: "outside the scissor rectangle",
  "sample mask": "the sample mask excludes all its samples",
  "early depth": "failed the depth test before the pixel shader",
  "early stencil": "failed the stencil test before the pixel shader",
  "depth bounds": "outside the depth bounds",
  discard: "discarded by the pixel shader",
  coverage: "the pixel shader gave no sample",
  "alpha to coverage": "its alpha gave no sample",
  "late depth": "failed the depth test after the pixel shader",
  "late stencil": "failed the stencil test after the pixel shader",
};
