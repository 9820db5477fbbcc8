import { inspect } from "node:util";

const mask = "[secret]";

/**
 * A value that cannot be printed, logged or serialised by accident: its text is `[secret]`. Only `reveal()` returns the
 * value.
 */
export class Secret<Value = string> {
  readonly #value: Value;

  constructor(value: Value) {
    this.#value = value;
  }

  /** Call it where the value is used, not earlier. */
  reveal(): Value {
    return this.#value;
  }

  toString(): string {
    return mask;
  }

  toJSON(): string {
    return mask;
  }

  [inspect.custom](): string {
    return mask;
  }
}
