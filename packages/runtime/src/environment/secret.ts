import { inspect } from "node:util";

const mask = "[secret]";

/**
 * A value that cannot be printed, logged or serialised by accident: every way to turn it into text gives `[secret]`.
 * Only `reveal()` gives the value away.
 */
export class Secret<Value = string> {
  readonly #value: Value;

  constructor(value: Value) {
    this.#value = value;
  }

  /** The value itself; call it where the value is used, not earlier. */
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
