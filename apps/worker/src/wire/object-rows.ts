import { Readable } from "node:stream";
import type { ObjectRows, RowRequest, RowStream } from "@reports/core";
import { encodeObjectRows } from "./encode-object-rows.ts";

/** Opens rows that come as objects, in the wire form. Nothing is summed up: what such a type shows is its rows. */
export function openObjectRows(source: ObjectRows, request: RowRequest, dataAsOf: Date): RowStream {
  const { columns, searchParam, sort, timezone, signal } = request;
  const objects = source.rows({ searchParam, sort, timezone, signal });
  return {
    columns,
    dataAsOf,
    rowsTotal: null,
    summary: { figures: [], charts: [], attention: null },
    bytes: Readable.from(encodeObjectRows(objects, columns, timezone), { objectMode: true, highWaterMark: 2 }),
  };
}
