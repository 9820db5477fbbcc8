import { inspect } from "node:util";

const secretMask = "[secret]";

/** A value that is never printed, logged or serialised by accident. Only `reveal()` and `current()` return it. */
export class Secret<Value = string> {
  readonly #value: Value;
  readonly #readAgain: () => Value | undefined;

  /** `readAgain` reads the value from its file again. It returns undefined if the file has no valid value at that time. */
  constructor(value: Value, readAgain: () => Value | undefined = () => undefined) {
    this.#value = value;
    this.#readAgain = readAgain;
  }

  /** Returns the secret value. Call it only where the value is used. */
  reveal(): Value {
    return this.#value;
  }

  /** Returns the value that the secret's file has now, or the first value if the file is invalid now. Reads the file synchronously. */
  current(): Value {
    return this.#readAgain() ?? this.#value;
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
