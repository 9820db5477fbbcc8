import { Buffer } from "node:buffer";
import { Readable } from "node:stream";
import type { ReportColumn } from "@reports/core/report";
import { ByteBuffer } from "./byte-buffer.ts";
import { readRowBlocks } from "./row-blocks.ts";
import { fieldQuotings, scanFields } from "./scan-fields.ts";

const comma = 0x2c;
const lineFeed = 0x0a;

export interface WireColumnSelection {
  readonly from: readonly ReportColumn[];
  readonly to: readonly ReportColumn[];
}

/** Selects and orders the fields of rows. Returns `bytes` itself if nothing changes. Destroying the result destroys `bytes`. */
export function selectWireColumns(bytes: Readable, { from, to }: WireColumnSelection): Readable {
  const places = to.map(({ key }) => from.findIndex((column) => column.key === key));
  if (places.length === from.length && places.every((place, at) => place === at)) return bytes;
  const starts = new Float64Array(from.length);
  const ends = new Float64Array(from.length);
  const out = new ByteBuffer(256 * 1024);

  function select(block: Buffer): Buffer {
    out.length = 0;
    scanFields(block, from.length, {
      field(column, _, start, end, form) {
        // The range includes the quotes of a quoted field, so that the field is copied as it is.
        const quotes = form === fieldQuotings.bare ? 0 : 1;
        starts[column] = start - quotes;
        ends[column] = end + quotes;
      },
      endRow() {
        for (let at = 0; at < places.length; at++) {
          const place = places[at]!;
          out.reserve(1);
          if (at > 0) out.push(comma);
          out.append(block, starts[place], ends[place]);
        }
        out.reserve(1);
        out.push(lineFeed);
      },
    });
    const selected = Buffer.allocUnsafeSlow(out.length);
    selected.set(out.view());
    return selected;
  }

  async function* selected(): AsyncGenerator<Buffer> {
    try {
      for await (const block of readRowBlocks(bytes)) yield select(block.bytes);
    } finally {
      bytes.destroy();
    }
  }
  return Readable.from(selected(), { objectMode: true, highWaterMark: 2 });
}
