// CodeMirror around a listing: words coloured by the library's classes, lines marked by the selection. In a shadow root, whose style sheets
// a strict content security policy allows.
import { Compartment, EditorState, RangeSet, RangeSetBuilder, StateEffect, StateField, Text, type Extension } from "@codemirror/state";
import { Decoration, EditorView, gutter, GutterMarker, lineNumbers, ViewPlugin, type DecorationSet, type ViewUpdate } from "@codemirror/view";
import type { Listing } from "../model/listing";
import { theme } from "./theme";

export interface Marks {
  selected: readonly number[];
  hovered: readonly number[];
}

export interface Problem {
  /** From 0. */
  line: number;
  severity: string;
  text: string;
}

export interface TextOptions {
  label: string;
  /** A line was picked, by pointer or cursor; lines from 0. */
  onpick?: (line: number) => void;
  /** The line below the pointer; null: none. */
  onhover?: (line: number | null) => void;
  onchange?: (text: string) => void;
  /** The gutter was clicked beside a line. Without, there is no gutter for breakpoints. */
  onbreak?: (line: number) => void;
}

const setMarks = StateEffect.define<Marks>();
const setProblems = StateEffect.define<readonly Problem[]>();

const lineClass = (name: string) => Decoration.line({ class: name });
const kSelected = lineClass("line-selected");
const kHovered = lineClass("line-hovered");

function lineDecorations(state: EditorState, marks: Marks): DecorationSet {
  const classes = new Map<number, Decoration>();
  for (const line of marks.hovered) classes.set(line, kHovered);
  for (const line of marks.selected) classes.set(line, kSelected);
  const builder = new RangeSetBuilder<Decoration>();
  for (const line of [...classes.keys()].sort((a, b) => a - b)) {
    if (line >= state.doc.lines) continue;
    const from = state.doc.line(line + 1).from;
    builder.add(from, from, classes.get(line)!);
  }
  return builder.finish();
}

const marksField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(decorations, transaction) {
    for (const effect of transaction.effects) if (effect.is(setMarks)) return lineDecorations(transaction.state, effect.value);
    return decorations.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const problemsField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(decorations, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setProblems)) continue;
      const doc = transaction.state.doc;
      const lines = effect.value.filter(({ line }) => line >= 0 && line < doc.lines).sort((a, b) => a.line - b.line);
      return Decoration.set(
        lines.map(({ line, severity, text }) =>
          Decoration.line({ class: `line-${severity}`, attributes: { title: text } }).range(doc.line(line + 1).from),
        ),
      );
    }
    return decorations.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

// Breakpoints, and the line that comes next when a run is stepped through: signs in a gutter, which the pane of the run tells in words.
export interface Breakpoint {
  /** From 1, as the library counts. */
  line: number;
  /** Where it stops, if that is known; null: nowhere. */
  stop: number | null | undefined;
}
interface Steps {
  breakpoints: readonly Breakpoint[];
  next: number | null;
}
const setSteps = StateEffect.define<Steps>();

class Sign extends GutterMarker {
  constructor(
    private readonly sign: string,
    private readonly title: string,
  ) {
    super();
  }
  override eq(other: Sign): boolean {
    return other.sign === this.sign;
  }
  override toDOM(): Node {
    const made = document.createElement("span");
    made.className = "sign";
    made.textContent = this.sign;
    made.title = this.title;
    return made;
  }
}
const kBreakpoint = new Sign("●", "breakpoint");
const kNext = new Sign("▶", "comes next");
const kBoth = new Sign("●▶", "breakpoint, comes next");
const kNever = new Sign("○", "breakpoint: no step follows in this function");
const moved = (stop: number) => new Sign("○", `breakpoint: this line is not executable; stops at line ${stop}`);
const kNextLine = lineClass("line-next");

const stepsField = StateField.define<{ signs: RangeSet<GutterMarker>; next: DecorationSet }>({
  create: () => ({ signs: RangeSet.empty, next: Decoration.none }),
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setSteps)) continue;
      const { doc } = transaction.state;
      const { breakpoints, next } = effect.value;
      const signs = new Map<number, Sign>(next === null ? [] : [[next, kNext]]);
      for (const { line, stop } of breakpoints)
        signs.set(line, stop === null ? kNever : stop !== undefined && stop !== line ? moved(stop) : line === next ? kBoth : kBreakpoint);
      const lines = [...signs.keys()].filter((line) => line >= 1 && line <= doc.lines);
      return {
        signs: RangeSet.of(lines.sort((a, b) => a - b).map((line) => signs.get(line)!.range(doc.line(line).from))),
        next: next !== null && next >= 1 && next <= doc.lines ? Decoration.set([kNextLine.range(doc.line(next).from)]) : Decoration.none,
      };
    }
    return transaction.docChanged ? { signs: value.signs.map(transaction.changes), next: value.next.map(transaction.changes) } : value;
  },
  provide: (field) => EditorView.decorations.from(field, ({ next }) => next),
});

function breakpoints(onbreak: (line: number) => void): Extension {
  return gutter({
    class: "cm-breakpoints",
    markers: (view) => view.state.field(stepsField).signs,
    initialSpacer: () => kBoth,
    domEventHandlers: {
      mousedown: (view, block) => {
        onbreak(view.state.doc.lineAt(block.from).number - 1);
        return true;
      },
    },
  });
}

/** Words of what is in view, until the text is edited. */
function words(listing: Listing): Extension {
  const marks = new Map<string, Decoration>();
  const mark = (name: string): Decoration => {
    if (!marks.has(name)) marks.set(name, Decoration.mark({ class: `word-${name}` }));
    return marks.get(name)!;
  };
  const make = (view: EditorView): DecorationSet => {
    const builder = new RangeSetBuilder<Decoration>();
    for (const { from, to } of view.visibleRanges) {
      for (const token of listing.tokensIn(from, to)) builder.add(token.from, token.to, mark(token.class));
    }
    return builder.finish();
  };
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = make(view);
      }
      update(update: ViewUpdate): void {
        if (update.docChanged) this.decorations = this.decorations.map(update.changes);
        else if (update.viewportChanged) this.decorations = make(update.view);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
}

/** Offsets of instructions in place of line numbers. */
function offsets(listing: Listing): Extension {
  if (!listing.isPlaced) return lineNumbers();
  const places = new Map<number, string>();
  return lineNumbers({
    formatNumber: (number) => {
      if (!places.has(number)) places.set(number, listing.place(number - 1)?.offset.toString(16) ?? "");
      return places.get(number)!;
    },
  });
}

export class TextView {
  private readonly view: EditorView;
  private readonly words = new Compartment();
  private readonly gutter = new Compartment();
  private readonly editable = new Compartment();
  private readonly keys = new Compartment();
  private isSilent = false;
  private marked: number | null = null;

  constructor(parent: HTMLElement, options: TextOptions) {
    const root = parent.shadowRoot ?? parent.attachShadow({ mode: "open" });
    const lineAt = (event: MouseEvent, view: EditorView): number | null => {
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
      return at === null ? null : view.state.doc.lineAt(at).number - 1;
    };
    this.view = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        extensions: [
          stepsField,
          options.onbreak ? breakpoints(options.onbreak) : [],
          this.gutter.of(lineNumbers()),
          this.words.of([]),
          this.editable.of(readOnly(true)),
          marksField,
          problemsField,
          this.keys.of([]),
          theme,
          EditorView.contentAttributes.of({ "aria-label": options.label, tabindex: "0" }),
          EditorView.updateListener.of((update) => {
            if (this.isSilent) return;
            if (update.docChanged) options.onchange?.(update.state.doc.toString());
            else if (update.selectionSet) options.onpick?.(update.state.doc.lineAt(update.state.selection.main.head).number - 1);
          }),
          EditorView.domEventHandlers({
            mousemove: (event, view) => options.onhover?.(lineAt(event, view)),
            mouseleave: () => options.onhover?.(null),
          }),
        ],
      }),
    });
    this.view.dom.addEventListener("focusin", () => void this.loadKeys(), { once: true });
    this.view.dom.addEventListener("focusin", () => this.takeMarked());
  }

  /** A listing, or text without classes. */
  setText(source: Listing | string): void {
    const isPlain = typeof source === "string";
    this.quietly(() => {
      this.view.dispatch({
        changes: { from: 0, to: this.view.state.doc.length, insert: Text.of((isPlain ? source : source.text).split("\n")) },
        selection: { anchor: 0 },
        effects: [
          this.words.reconfigure(isPlain ? [] : words(source)),
          this.gutter.reconfigure(isPlain ? lineNumbers() : offsets(source)),
          setMarks.of({ selected: [], hovered: [] }),
          setProblems.of([]),
        ],
      });
      this.view.scrollDOM.scrollTop = 0;
    });
  }

  setEditable(isEditable: boolean): void {
    this.view.dispatch({ effects: this.editable.reconfigure(readOnly(!isEditable)) });
  }

  /** Marks lines. */
  setMarks(marks: Marks): void {
    this.marked = marks.selected[0] ?? null;
    if (this.view.hasFocus) this.takeMarked();
    if (marks.selected.length + marks.hovered.length === 0 && this.view.state.field(marksField).size === 0) return;
    this.quietly(() => this.view.dispatch({ effects: setMarks.of(marks) }));
  }

  /** Puts the cursor on the first line that is marked, as the arrow keys go on from there. Not before it has the focus: to move the cursor, the
   *  browser lays the page out. */
  private takeMarked(): void {
    const { doc, selection } = this.view.state;
    const line = this.marked;
    if (line === null || line >= doc.lines || doc.lineAt(selection.main.head).number === line + 1) return;
    this.quietly(() => this.view.dispatch({ selection: { anchor: doc.line(line + 1).from } }));
  }

  setSteps(breakpoints: readonly Breakpoint[], next: number | null): void {
    this.quietly(() => this.view.dispatch({ effects: setSteps.of({ breakpoints, next }) }));
  }

  setProblems(problems: readonly Problem[]): void {
    this.quietly(() => this.view.dispatch({ effects: setProblems.of(problems) }));
  }

  /** Scrolls to a line, if it is not in view. */
  reveal(line: number): void {
    const { doc } = this.view.state;
    if (line < 0 || line >= doc.lines) return;
    const from = doc.line(line + 1).from;
    const block = this.view.lineBlockAt(from);
    const { scrollTop, clientHeight } = this.view.scrollDOM;
    if (block.top >= scrollTop && block.bottom <= scrollTop + clientHeight) return;
    this.quietly(() => this.view.dispatch({ effects: EditorView.scrollIntoView(from, { y: "center" }) }));
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  focus(): void {
    this.view.focus();
  }

  destroy(): void {
    this.view.destroy();
  }

  private async loadKeys(): Promise<void> {
    const { keys } = await import("./keys");
    this.view.dispatch({ effects: this.keys.reconfigure(keys) });
  }

  private quietly(change: () => void): void {
    this.isSilent = true;
    change();
    this.isSilent = false;
  }
}

function readOnly(isReadOnly: boolean): Extension {
  return [EditorState.readOnly.of(isReadOnly), EditorView.contentAttributes.of({ "aria-readonly": String(isReadOnly) })];
}
