// CodeMirror's comparison of two texts, in a shadow root as all its views here.
import { unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { keys } from "../text/keys";
import { theme } from "../text/theme";

const colours = EditorView.theme({
  ".cm-changedLine, .cm-inlineChangedLine": { backgroundColor: "var(--added) !important" },
  ".cm-deletedChunk": { backgroundColor: "var(--removed) !important", paddingLeft: "10px" },
  ".cm-changedText": { background: "none !important", textDecoration: "underline" },
  ".cm-deletedText": { background: "none !important", textDecoration: "underline" },
  ".cm-collapsedLines": { background: "var(--paper) !important", color: "var(--soft)", padding: "3px 14px" },
  ".cm-collapsedLines::before, .cm-collapsedLines::after": { content: '"…" !important' },
});

/** Shows it; the answer takes it away again. */
export function mergeText(parent: HTMLElement, before: string, after: string): () => void {
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: "open" });
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: after,
      extensions: [
        unifiedMergeView({ original: before, mergeControls: false, gutter: true, collapseUnchanged: { margin: 4, minSize: 8 } }),
        EditorState.readOnly.of(true),
        keys,
        theme,
        colours,
        EditorView.contentAttributes.of({ "aria-label": "Differences of the listings", "aria-readonly": "true", tabindex: "0" }),
      ],
    }),
  });
  return () => view.destroy();
}
