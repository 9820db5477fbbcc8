/** A growing list of whole numbers below 2³² outside of V8's heap, because garbage collection would copy a large array repeatedly. */
export class Uint32List {
  #values = new Uint32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Uint32Array(this.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length++] = value;
  }

  /** Returns the numbers and empties the list. The result is valid until the next `push`. */
  taken(): Uint32Array {
    const values = this.#values.subarray(0, this.length);
    this.length = 0;
    return values;
  }
}
