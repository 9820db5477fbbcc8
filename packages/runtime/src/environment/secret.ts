import { inspect } from "node:util";

const secretMask = "[secret]";

/** A value that is never printed, logged or serialised by accident. Only `reveal()` returns it. */
export class Secret<Value = string> {
  readonly #value: Value;

  constructor(value: Value) {
    this.#value = value;
  }

  /** Returns the value. Call it only where the value is used. */
  reveal(): Value {
    return this.#value;
  }

  toString(): string {
    return secretMask;
  }

  toJSON(): string {
    return secretMask;
  }

  [inspect.custom](): string {
    return secretMask;
  }
}
