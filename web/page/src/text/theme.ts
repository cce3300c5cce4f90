// CodeMirror in the colours of the page.
import { EditorView } from "@codemirror/view";

export const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "transparent", fontSize: "12.5px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", scrollbarWidth: "thin" },
  ".cm-content": { padding: "6px 0", caretColor: "var(--accent)" },
  ".cm-line": { padding: "0 14px 0 10px" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--faint)", border: "none", paddingLeft: "8px" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "4.5ch" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { backgroundColor: "var(--mark)" },
  ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-panel input, .cm-panel button": { fontFamily: "var(--sans)", backgroundImage: "none", backgroundColor: "var(--raised)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "5px" },
  ".cm-searchMatch": { backgroundColor: "var(--added)", outline: "1px solid var(--number)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--mark)" },
  ".line-selected": { backgroundColor: "var(--mark-wash)", boxShadow: "inset 3px 0 0 var(--accent)" },
  ".line-hovered": { backgroundColor: "var(--hover)" },
  ".line-error": { textDecoration: "underline wavy var(--error)", textDecorationSkipInk: "none" },
  ".line-warning": { textDecoration: "underline wavy var(--warning)", textDecorationSkipInk: "none" },
  ".word-opcode": { color: "var(--opcode)" },
  ".word-number": { color: "var(--number)" },
  ".word-text": { color: "var(--text)" },
  ".word-comment": { color: "var(--faint)" },
  ".word-directive": { color: "var(--directive)" },
});
