// Something that the worker is asked for when it is first looked at.
import { EngineError } from "../engine/engine";

export class Lazy<T> {
  value = $state.raw<T | undefined>();
  error = $state.raw<EngineError | undefined>();
  private promise: Promise<T | undefined> | undefined;

  constructor(private readonly make: () => Promise<T>) {}

  /** What is there so far; asks for it. */
  get(): T | undefined {
    void this.load();
    return this.value;
  }

  /** Undefined where there was an error. */
  load(): Promise<T | undefined> {
    return (this.promise ??= this.make().then(
      (value) => (this.value = value),
      (error: unknown) => {
        this.error = error instanceof EngineError ? error : new EngineError({ code: "internal", message: String(error), offset: 0, path: "", file: "" });
        return undefined;
      },
    ));
  }
}
