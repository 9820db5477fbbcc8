import { deflateSync } from "node:zlib";

/** Converts to an ICC fixed-point number with 16 bits before and after the point. */
const toFixedPoint = (value: number): number => Math.round(value * 65_536);

/** Primaries of sRGB, adapted to D50 (ICC.1:2010, IEC 61966-2-1). */
const primaries = {
  r: [0.4360747, 0.2225045, 0.0139322],
  g: [0.3850649, 0.7168786, 0.0971045],
  b: [0.1430804, 0.0606169, 0.7141733],
};
const whiteD50 = [0.9642, 1, 0.8249];
/** Chromatic adaptation from D65, the white of sRGB, to D50 (Bradford). */
const chromaticAdaptation = [
  1.0478112, 0.0228866, -0.050127, 0.0295424, 0.9904844, -0.0170491, -0.0092345, 0.0150436, 0.7521316,
];
const transferCurve = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045];

let deflated: Buffer | undefined;

export function createDeflatedSrgbProfile(): Buffer {
  return (deflated ??= deflateSync(srgbProfile()));
}

function srgbProfile(): Buffer {
  const transfer = createNumbersElement("para", [3 << 16, ...transferCurve.map(toFixedPoint)]);
  const tags: readonly (readonly [string, Buffer])[] = [
    ["desc", createTextElement("sRGB")],
    ["cprt", createTextElement("No copyright, use freely")],
    ["wtpt", createNumbersElement("XYZ ", whiteD50.map(toFixedPoint))],
    ["chad", createNumbersElement("sf32", chromaticAdaptation.map(toFixedPoint))],
    ["rXYZ", createNumbersElement("XYZ ", primaries.r.map(toFixedPoint))],
    ["gXYZ", createNumbersElement("XYZ ", primaries.g.map(toFixedPoint))],
    ["bXYZ", createNumbersElement("XYZ ", primaries.b.map(toFixedPoint))],
    ["rTRC", transfer],
    ["gTRC", transfer],
    ["bTRC", transfer],
  ];
  const table = Buffer.alloc(4 + tags.length * 12);
  table.writeUInt32BE(tags.length);
  const bodies: Buffer[] = [];
  let offset = 128 + table.length;
  const offsets = new Map<Buffer, number>();
  tags.forEach(([name, body], at) => {
    if (!offsets.has(body)) {
      offsets.set(body, offset);
      bodies.push(body);
      offset += body.length;
    }
    table.write(name, 4 + at * 12, "latin1");
    table.writeUInt32BE(offsets.get(body)!, 8 + at * 12);
    table.writeUInt32BE(body.length, 12 + at * 12);
  });
  return Buffer.concat([createHeader(offset), table, ...bodies]);
}

function createHeader(size: number): Buffer {
  const bytes = Buffer.alloc(128);
  bytes.writeUInt32BE(size);
  bytes.writeUInt32BE(0x04200000, 8);
  bytes.write("mntrRGB XYZ ", 12, "latin1");
  // Any creation date, fixed so that equal documents have equal bytes.
  [2026, 1, 1, 0, 0, 0].forEach((part, at) => bytes.writeUInt16BE(part, 24 + at * 2));
  bytes.write("acsp", 36, "latin1");
  whiteD50.forEach((part, at) => bytes.writeInt32BE(toFixedPoint(part), 68 + at * 4));
  return bytes;
}

function createNumbersElement(type: string, numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(8 + numbers.length * 4);
  bytes.write(type, "latin1");
  numbers.forEach((number, at) => bytes.writeInt32BE(number, 8 + at * 4));
  return bytes;
}

function createTextElement(value: string): Buffer {
  const characters = Buffer.from(value, "utf16le").swap16();
  const bytes = Buffer.alloc(28 + Math.ceil(characters.length / 4) * 4);
  bytes.write("mluc", "latin1");
  [1, 12].forEach((number, at) => bytes.writeUInt32BE(number, 8 + at * 4));
  bytes.write("enUS", 16, "latin1");
  [characters.length, 28].forEach((number, at) => bytes.writeUInt32BE(number, 20 + at * 4));
  characters.copy(bytes, 28);
  return bytes;
}
