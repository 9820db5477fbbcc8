import type { AlignedBytes } from "../../wire/byte-buffer.ts";

const zero = 0x30;
const nine = 0x39;
const maxDigits = 8;

/** A row number in decimal digits, stored as words that an encoder appends per cell. Incrementing changes the words in place. */
export class AlignedRowNumber implements AlignedBytes {
  readonly words = new Uint32Array(maxDigits / 4);
  readonly #digits = new Uint8Array(maxDigits);
  length = 0;

  constructor(row: number) {
    this.set(row);
  }

  set(row: number): void {
    const text = String(row);
    this.length = text.length;
    for (let at = 0; at < text.length; at++) this.#digits[at] = text.charCodeAt(at);
    this.#pack();
  }

  increment(): void {
    const digits = this.#digits;
    let at = this.length - 1;
    while (at >= 0 && digits[at] === nine) digits[at--] = zero;
    if (at >= 0) (digits[at] as number) += 1;
    else {
      digits[0] = zero + 1;
      digits[this.length++] = zero;
    }
    this.#pack();
  }

  #pack(): void {
    const digits = this.#digits as Uint8Array & Record<0 | 1 | 2 | 3 | 4 | 5 | 6 | 7, number>;
    this.words[0] = digits[0] | (digits[1] << 8) | (digits[2] << 16) | (digits[3] << 24);
    this.words[1] = digits[4] | (digits[5] << 8) | (digits[6] << 16) | (digits[7] << 24);
  }
}
