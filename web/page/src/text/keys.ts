// Keys, history and search of text views: not needed to show a text, so loaded when one takes the focus.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { search, searchKeymap } from "@codemirror/search";
import type { Extension } from "@codemirror/state";
import { keymap } from "@codemirror/view";

export const keys: Extension = [history(), search({ top: true }), keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap])];
