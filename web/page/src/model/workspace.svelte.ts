// All that is open, and what the panes show of it.
import { Engine, EngineError } from "../engine/engine";
import { kLargest } from "./bytes.svelte";
import { Content } from "./content.svelte";
import { OpenFile } from "./file.svelte";
import { readPasted } from "./paste";
import { looksLikeScene } from "./scenetext";
import { nothing, selectNamed, type Selection } from "./selection";
import { isView, type View } from "./views";
import { readLink, writeLink } from "./link";

export type Group = 0 | 1;

export class Workspace {
  readonly engine = new Engine();
  files = $state.raw<readonly OpenFile[]>([]);
  file = $state.raw<OpenFile | null>(null);
  /** What the file is compared with. */
  other = $state.raw<OpenFile | null>(null);
  shown = $state<[View, View]>(["listing", "hex"]);
  /** The group that keys and commands mean. */
  group = $state<Group>(0);
  isSplit = $state(true);
  /** The last news, and whether it is bad. */
  news = $state.raw<{ text: string; isError: boolean } | null>(null);

  get content(): Content | null {
    return this.file?.content ?? null;
  }

  select(selection: Selection): void {
    if (this.file) this.file.selection = selection;
  }

  hover(selection: Selection): void {
    if (this.file && this.file.hover !== selection) this.file.hover = selection;
  }

  show(view: View, group: Group = this.group): void {
    this.shown[group] = view;
    this.group = group;
  }

  split(isSplit: boolean): void {
    this.isSplit = isSplit;
    if (!isSplit) this.group = 0;
  }

  say(text: string, isError = false): void {
    this.news = { text, isError };
  }

  /** Says what went wrong; what is no error of the library is thrown on. */
  complain(error: unknown): void {
    if (error instanceof EngineError) this.say(error.line, true);
    else if (error instanceof Error) this.say(error.message, true);
    else throw error;
  }

  add(name: string, source: Uint8Array | Blob, origin = ""): OpenFile {
    const file = new OpenFile(new Content(this.engine, name, source), origin);
    // Before all else that the panes ask for: it is what is read first.
    if (!file.content.isLarge) void file.content.listing.load();
    this.files = [...this.files, file];
    this.file = file;
    return file;
  }

  /** Opens files of the disk: shaders, sources that hold one, anything else as bytes. */
  async open(files: readonly File[]): Promise<void> {
    const before = this.file;
    for (const file of files) {
      if (file.size === 0) this.say(`${file.name} is empty`, true);
      else if (file.size > kLargest) this.add(file.name, file);
      else await this.openBytes(file.name, new Uint8Array(await file.arrayBuffer()));
    }
    const opened = this.files.slice(-files.length);
    const scene = opened.find((file) => file.sceneText !== null);
    if (scene) this.showScene(scene);
    else if (files.length > 1 && before === null && this.files.length > 0) this.file = this.files[0]!;
  }

  showScene(scene: OpenFile): void {
    this.file = scene;
    this.show("picture", 0);
  }

  /** Of the files that are open, one that a scene names. */
  bytesNamed(name: string): Uint8Array | null {
    const last = (path: string) => path.split("/").at(-1);
    const found = this.files.find((file) => file.name === name) ?? this.files.find((file) => last(file.name) === last(name));
    return found?.content.bytes.whole ?? null;
  }

  /** Text may hold shaders as arrays. */
  async openBytes(name: string, bytes: Uint8Array): Promise<void> {
    if (/\.(h|hpp|hlsl|inc|c|cpp|cc|rs)$/i.test(name)) {
      await this.openSource(name, new TextDecoder().decode(bytes));
    } else {
      this.add(name, bytes);
    }
  }

  async openSource(name: string, text: string, array?: string): Promise<void> {
    try {
      const bytes = await this.engine.call("source", array === undefined ? { text } : { text, array });
      this.add(array === undefined ? name : `${name}:${array}`, bytes);
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== "bad-value" || array !== undefined) return this.complain(error);
      const names = arrayNames(error.message);
      if (names.length === 0) return this.complain(error);
      for (const each of names) await this.openSource(name, text, each);
    }
  }

  async openPasted(text: string): Promise<boolean> {
    if (looksLikeScene(text)) {
      this.showScene(this.add(/^\s*\{/.test(text) ? "pasted.json" : "pasted.toml", new TextEncoder().encode(text)));
      return true;
    }
    const pasted = readPasted(text);
    if (pasted.kind === "none") {
      this.say("This text is neither hexadecimal, nor base64, nor an array of source text, nor a scene.", true);
      return false;
    }
    const before = this.files.length;
    if (pasted.kind === "bytes") this.add("pasted", pasted.bytes);
    else await this.openSource("pasted", text);
    return this.files.length > before;
  }

  close(file: OpenFile): void {
    const at = this.files.indexOf(file);
    this.files = this.files.filter((each) => each !== file);
    for (const content of file.contents) {
      content.stopSearch();
      this.engine.drop(content.id);
    }
    if (file.sceneText !== null) void this.engine.call("dropScene", { scene: file.scene.id }).catch(() => {});
    if (this.other === file) this.other = null;
    if (this.file === file) this.file = this.files[Math.min(at, this.files.length - 1)] ?? null;
  }

  compare(other: OpenFile | null): void {
    this.other = other;
    if (other) this.show("diff", 0);
  }

  /** The address of this page with the file in it. */
  async link(): Promise<string> {
    return location.href.replace(/#.*/, "") + (await this.fragment());
  }

  /** The file, what it is compared with, the place and the views, as readLink() takes them. */
  async fragment(): Promise<string> {
    const content = this.content;
    const bytes = content?.bytes.whole;
    if (!content || !bytes) throw new Error("only a file that is read whole fits into a link or a page");
    const other = this.other?.content;
    return writeLink({
      file: { name: content.name, bytes },
      ...(other?.bytes.whole && { with: { name: other.name, bytes: other.bytes.whole } }),
      at: this.placeName(),
      views: this.isSplit ? [...this.shown] : [this.shown[0]],
    });
  }

  async follow(fragment: string): Promise<void> {
    const link = await readLink(fragment).catch(() => {
      throw new Error("The file in this link is damaged: it was cut, or changed on its way.");
    });
    if (!link) return;
    const file = this.add(link.file.name, link.file.bytes);
    if (link.with) {
      this.other = this.add(link.with.name, link.with.bytes);
      this.file = file;
    }
    const shown = link.views.filter(isView);
    if (shown[0]) this.shown[0] = shown[0];
    if (shown[1]) this.shown[1] = shown[1];
    this.split(shown.length !== 1);
    await file.content.tree.load();
    file.selection = (link.at !== "" && selectNamed(file.content, link.at)) || nothing;
  }

  /** The path of what is selected, or its offset. */
  private placeName(): string {
    const { field, offset, size } = this.file?.selection ?? nothing;
    if (size === 0) return "";
    return this.content?.tree.value?.path(field) || `0x${offset.toString(16)}`;
  }
}

/** The arrays that an error of a text with several shaders names. */
function arrayNames(message: string): string[] {
  const names = /select one: (.*)$/.exec(message)?.[1];
  return names?.split(", ") ?? [];
}
