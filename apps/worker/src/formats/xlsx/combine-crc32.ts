/** The polynomial of CRC-32, bit-reversed. The highest bit is x^0. */
const crcPolynomial = 0xedb88320;
const one = 0x80000000;

/** x^(2^n) modulo the polynomial, for n from 0 to 31. */
const powersOfX: number[] = [0x40000000];
for (let last = 0x40000000; powersOfX.length < 32; powersOfX.push(last)) last = multiplyPolynomials(last, last);

/** Returns the CRC-32 of two concatenated pieces from their CRC-32s. The second piece is `secondBytes` long. */
export function combineCrc32(first: number, second: number, secondBytes: number): number {
  // Appending n bytes multiplies the first remainder by x^(8n).
  let shift = one;
  for (let bits = 3, rest = secondBytes; rest > 0; rest = Math.floor(rest / 2), bits++) {
    if (rest % 2 === 1) shift = multiplyPolynomials(powersOfX[bits % 32] ?? one, shift);
  }
  return (multiplyPolynomials(shift, first) ^ second) >>> 0;
}

/** Multiplies two polynomials over GF(2), modulo the polynomial of CRC-32. */
function multiplyPolynomials(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= factor;
    factor = (factor & 1) === 1 ? (factor >>> 1) ^ crcPolynomial : factor >>> 1;
  }
  return product >>> 0;
}
