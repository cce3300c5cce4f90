// An open file: its present content, those before its edits, and what is selected in it.
import { Content } from "./content.svelte";
import { Scene } from "./scene.svelte";
import { sceneText } from "./scenetext";
import { nothing, type Selection } from "./selection";

export class OpenFile {
  content: Content;
  selection = $state.raw<Selection>(nothing);
  /** Below the pointer; weaker than the selection, and scrolls nothing. */
  hover = $state.raw<Selection>(nothing);
  private drawnScene: Scene | undefined;
  private past = $state.raw<readonly Content[]>([]);
  private future = $state.raw<readonly Content[]>([]);
  /** Of a file that is a scene. */
  readonly sceneText = $derived.by(() => {
    const text = sceneText(this.content.name, this.content.bytes.whole);
    // One that was a scene is one while it is edited.
    if (text !== null || this.past.length === 0 || sceneText(this.original.name, this.original.bytes.whole) === null) return text;
    return new TextDecoder().decode(this.content.bytes.whole!);
  });

  constructor(
    content: Content,
    /** What it was found in. */
    readonly origin: string = "",
  ) {
    this.content = $state.raw(content);
  }

  get scene(): Scene {
    return (this.drawnScene ??= new Scene(this.content.engine));
  }

  get name(): string {
    return this.content.name;
  }
  get isEdited(): boolean {
    return this.past.length > 0;
  }
  get canRedo(): boolean {
    return this.future.length > 0;
  }

  /** The same file with other bytes; the selection stays at its path. */
  async edit(bytes: Uint8Array): Promise<void> {
    const next = new Content(this.content.engine, this.name, bytes);
    next.stepper.draft = this.content.stepper.draft;
    await this.show(next, () => {
      this.past = [...this.past, this.content];
      this.future = [];
    });
  }

  async undo(): Promise<void> {
    const before = this.past.at(-1);
    if (!before) return;
    await this.show(before, () => {
      this.past = this.past.slice(0, -1);
      this.future = [this.content, ...this.future];
    });
  }

  async redo(): Promise<void> {
    const next = this.future[0];
    if (!next) return;
    await this.show(next, () => {
      this.past = [...this.past, this.content];
      this.future = this.future.slice(1);
    });
  }

  /** Every state of it. */
  get contents(): readonly Content[] {
    return [...this.past, this.content, ...this.future];
  }

  /** The file as it was opened. */
  get original(): Content {
    return this.past[0] ?? this.content;
  }

  private async show(next: Content, keep: () => void): Promise<void> {
    const path = this.content.tree.value?.path(this.selection.field) ?? "";
    const tree = await next.tree.load();
    keep();
    this.content = next;
    this.hover = nothing;
    const field = tree?.find(path) ?? 0;
    this.selection = tree && field !== 0 ? { offset: tree.offset(field), size: tree.size(field), field } : nothing;
  }
}
