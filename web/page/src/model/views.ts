// The views of an editor group, in the order of their keys 1 to 8.
export const views = [
  { id: "listing", title: "Listing" },
  { id: "hex", title: "Hex" },
  { id: "graph", title: "Graph" },
  { id: "reflection", title: "Reflection" },
  { id: "source", title: "Source" },
  { id: "run", title: "Run" },
  { id: "picture", title: "Picture" },
  { id: "diff", title: "Diff" },
] as const;

export type View = (typeof views)[number]["id"];

export function isView(text: string): text is View {
  return views.some((view) => view.id === text);
}
