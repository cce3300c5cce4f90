// Scenes that are drawn, and runs that are stepped through.
import { Handle, UnshadeError, bytesOf, structs } from "./instance.js";

export const pixelForms = ["rgba8", "float", "stored"];

// ---- stepping ----

export class Stepper {
  #handle;
  #instance;
  #file;

  constructor(instance, file, handle) {
    this.#instance = instance;
    this.#file = file;
    this.#handle = new Handle(this, instance, "unshade_session_free", handle);
  }

  state() {
    return this.#instance.makeJson(this.#file, "unshade_session_state", this.#handle.at);
  }
  result() {
    return this.#instance.makeJson(this.#file, "unshade_session_result", this.#handle.at);
  }
  get file() {
    return this.#instance.makeBytes(this.#file, "unshade_session_file", this.#handle.at);
  }

  /** Calls what moves: false where it did not come where it was to. */
  #move(name, ...parameters) {
    const code = this.#instance.call(name, this.#handle.at, ...parameters);
    if (code !== 0 && code !== 9) throw new UnshadeError("invalid-argument", "the session cannot move so", { file: this.#file });
    return code === 0;
  }
  step(steps = 1) {
    return this.#move("unshade_session_step", BigInt(steps));
  }
  over() {
    return this.#move("unshade_session_over");
  }
  stopLine(line) {
    return this.#instance.call("unshade_session_stop_line", this.#handle.at, line) || null;
  }
  runTo(lines, { backwards = false } = {}) {
    return this.#instance.withMemory((memory) =>
      this.#move("unshade_session_run_to", memory.put(bytesOf(new Uint32Array(lines))), lines.length, Number(backwards)),
    );
  }
  runToOdd() {
    return this.#move("unshade_session_run_to_odd");
  }
  follow(wave) {
    return this.#move("unshade_session_follow", wave);
  }
  followLane(lane) {
    this.#move("unshade_session_follow_lane", lane ?? -1);
  }
  free() {
    this.#handle.free();
  }
}

// ---- drawing ----

export class LoadedScene {
  #handle;
  #instance;
  #name;

  constructor(instance, name, handle) {
    this.#instance = instance;
    this.#name = name;
    this.#handle = new Handle(this, instance, "unshade_scene_free", handle);
    this.frames = instance.call("unshade_scene_frame_count", handle) >>> 0;
  }

  get missingFiles() {
    const names = [];
    for (let name; (name = this.#instance.call("unshade_scene_missing_file", this.#handle.at, names.length)) !== 0;)
      names.push(this.#instance.text(name));
    return names;
  }
  setFile(name, contents) {
    const bytes = bytesOf(contents);
    this.#instance.withMemory((memory) =>
      this.#instance.call("unshade_scene_set_file", this.#handle.at, memory.text(name), memory.put(bytes), bytes.length),
    );
  }
  draw({ frame = 0, wave = 0, operations = 0, memory: most = 0 } = {}) {
    const instance = this.#instance;
    return instance.withMemory((memory) => {
      const options = memory.struct(structs.drawOptions, { frame, wave, operations, memory: most });
      return new Drawing(instance, this.#name, instance.make(this.#name, "unshade_draw", this.#handle.at, options));
    });
  }
  free() {
    this.#handle.free();
  }
}

export class Drawing {
  #handle;
  #instance;
  #name;

  constructor(instance, name, handle) {
    this.#instance = instance;
    this.#name = name;
    this.#handle = new Handle(this, instance, "unshade_drawing_free", handle);
    this.targets = instance.list(structs.target, "unshade_target_at", handle).map(({ isDepth, isShown, ...target }) => ({
      ...target,
      isDepth: isDepth !== 0,
      isShown: isShown !== 0,
    }));
  }

  /** The number of a target by its name; that of the one to look at without a name. */
  #target(name) {
    const index = this.targets.findIndex((target) => (name === undefined ? target.isShown : target.name === name));
    if (index < 0) throw new UnshadeError("missing", `there is no target ${name ?? "to look at"}`, { file: this.#name });
    return index;
  }

  info({ resources = false } = {}) {
    return this.#instance.makeJson(this.#name, "unshade_drawing_json", this.#handle.at, Number(resources));
  }
  pixels(form = "rgba8", target = undefined) {
    const which = pixelForms.indexOf(form);
    if (which < 0) throw new UnshadeError("invalid-argument", `the form must be one of ${pixelForms.join(", ")}, not ${form}`);
    const bytes = this.#instance.makeBytes(this.#name, "unshade_target_pixels", this.#handle.at, this.#target(target), which);
    if (form === "rgba8") return new Uint8ClampedArray(bytes.buffer);
    return form === "float" ? new Float32Array(bytes.buffer) : bytes;
  }

  #pixel(memory, { x, y, sample = -1, target, event = 0 }) {
    return memory.struct(structs.pixel, { target: this.#target(target), x, y, sample, event });
  }
  history(pixel) {
    const instance = this.#instance;
    return instance.withMemory(
      (memory) => instance.makeJson(this.#name, "unshade_pixel_history", this.#handle.at, this.#pixel(memory, pixel)).history,
    );
  }
  step(pixel, { record = 0 } = {}) {
    const instance = this.#instance;
    return instance.withMemory((memory) => {
      const options = memory.struct(structs.sessionOptions, { record });
      const session = instance.make(this.#name, "unshade_pixel_session", this.#handle.at, this.#pixel(memory, pixel), options);
      return new Stepper(instance, this.#name, session);
    });
  }
  heat(kind, target = undefined) {
    const instance = this.#instance;
    const heat = instance.withMemory((memory) =>
      instance.make(this.#name, "unshade_heat_new", this.#handle.at, this.#target(target), memory.text(kind)),
    );
    try {
      const info = instance.makeJson(this.#name, "unshade_heat_json", heat).heat;
      const colors = instance.call("unshade_heat_colors", heat, instance.count);
      const made = new Uint8ClampedArray(instance.copy(colors, instance.pointer(instance.count)).buffer);
      const numbers = instance.call("unshade_heat_numbers", heat, instance.count);
      return { info, colors: made, numbers: new Float32Array(instance.copyWords(numbers, instance.pointer(instance.count)).buffer) };
    } finally {
      if (instance.failure === null) instance.call("unshade_heat_free", heat);
    }
  }
  free() {
    this.#handle.free();
  }
}
