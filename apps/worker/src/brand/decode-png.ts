import { Buffer } from "node:buffer";
import { inflateSync } from "node:zlib";

/** The pixels of an image, row after row. */
export interface Pixels {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Four bytes each: red, green, blue, and how opaque it is; not multiplied. */
  readonly rgba: Buffer;
}

const channels = 4;

/** Decodes a PNG of 8-bit RGBA without interlacing (ISO/IEC 15948), which is how logos are drawn. */
export function decodePng(png: Uint8Array): Pixels {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  const data: Buffer[] = [];
  let header: Buffer = Buffer.alloc(0);
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + 8);
    const content = bytes.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") header = content;
    if (type === "IDAT") data.push(content);
    at += length + 12;
  }
  const [widthPx, heightPx] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  if (header[8] !== 8 || header[9] !== 6 || header[12] !== 0) throw new Error("This is not a PNG of 8-bit RGBA.");
  return { widthPx, heightPx, rgba: unfilter(inflateSync(Buffer.concat(data)), widthPx, heightPx) };
}

/** Takes back what was done to each line so that it deflates better. */
function unfilter(lines: Buffer, widthPx: number, heightPx: number): Buffer {
  const stride = widthPx * channels;
  const rgba = Buffer.alloc(stride * heightPx);
  for (let y = 0; y < heightPx; y++) {
    const filter = lines[y * (stride + 1)];
    const from = y * (stride + 1) + 1;
    const to = y * stride;
    for (let x = 0; x < stride; x++) {
      const left = x < channels ? 0 : rgba[to + x - channels]!;
      const up = y === 0 ? 0 : rgba[to + x - stride]!;
      const upLeft = x < channels || y === 0 ? 0 : rgba[to + x - stride - channels]!;
      rgba[to + x] = lines[from + x]! + predicted(filter, left, up, upLeft);
    }
  }
  return rgba;
}

function predicted(filter: number | undefined, left: number, up: number, upLeft: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4:
      return paeth(left, up, upLeft);
    default:
      return 0;
  }
}

function paeth(left: number, up: number, upLeft: number): number {
  const estimate = left + up - upLeft;
  const [toLeft, toUp, toUpLeft] = [left, up, upLeft].map((value) => Math.abs(estimate - value)) as [
    number,
    number,
    number,
  ];
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}
