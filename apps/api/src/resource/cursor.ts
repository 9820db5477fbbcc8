import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { anchorOf, normaliseTimestamp, uuidPattern, type KeysetPosition } from "@reports/core/query";
import { z } from "zod";

export type CursorQuery = Readonly<Record<string, string | readonly string[]>>;

export interface CursorScope {
  /** The list's path with IDs of parents. Another path's cursor is refused. */
  readonly path: string;
  /** All that is not a default, with relative times as written. */
  readonly query: CursorQuery;
  /** The first page's instants of relative times, by filter. */
  readonly instants: Readonly<Record<string, string>>;
}

const valuesSchema = z.union([z.string(), z.array(z.string()).min(1)]);
const contentSchema = z.tuple([
  z.union([
    z.array(z.union([z.string(), z.null()])),
    z.strictObject({ id: z.string().regex(uuidPattern), hash: z.string() }),
  ]),
  z.record(z.string(), valuesSchema),
  // Postgres compares them with times.
  z.record(
    z.string(),
    z.string().refine((text) => normaliseTimestamp(text) === text),
  ),
]);

type CursorContent = z.output<typeof contentSchema>;

/** In characters. docs/reference/http.md#lists. */
export const maxCursorLength = 2_048;
/** Bytes of JSON: a URL has at most 16 KiB, so no query is longer. */
const maxContentBytes = 65_536;
const sealLength = 16;
/** The longest anchor: its characters hardly repeat. */
const longestAnchor = { id: "01928374-65fa-7bcd-8e90-f1a2b3c4d5e6", hash: "q7Xv0Zk3_RfM-8sLtY1bWd" };
/** How much compression can differ between two anchors. */
const codeMargin = 32;

/** If the sort values are too long, the cursor names the record instead. */
export function encodeCursor(position: KeysetPosition, scope: CursorScope): string {
  const whole = encode(position, scope);
  return whole.length <= maxCursorLength ? whole : encode(anchorOf(position), scope);
}

/** Whether every cursor of the list fits, whatever its records and the next page's `limit` and `count`. */
export function fitsCursor(scope: CursorScope): boolean {
  const query = { ...scope.query, limit: "200", count: "exact" };
  return encode(longestAnchor, { ...scope, query }).length <= maxCursorLength - codeMargin;
}

/** Null for a cursor of another path or a damaged one. */
export function decodeCursor(
  cursor: string,
  path: string,
): (Omit<CursorScope, "path"> & { readonly position: CursorContent[0] }) | null {
  const [seal, packed] = [cursor.slice(0, sealLength), cursor.slice(sealLength)];
  // The seal detects mistakes and need not be secret: a forged cursor shows no more than its query would.
  if (cursor.length > maxCursorLength || sealOf(packed, path) !== seal) return null;
  const { data } = contentSchema.safeParse(unpack(packed));
  if (data === undefined) return null;
  const [position, query, instants] = data;
  return { position, query, instants };
}

function encode(position: object, { path, query, instants }: CursorScope): string {
  const packed = deflateRawSync(JSON.stringify([position, query, instants])).toString("base64url");
  return `${sealOf(packed, path)}${packed}`;
}

function unpack(packed: string): unknown {
  try {
    const bytes = inflateRawSync(Buffer.from(packed, "base64url"), { maxOutputLength: maxContentBytes });
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** Over the text, so that each cursor has one spelling. */
function sealOf(packed: string, path: string): string {
  return createHash("sha256").update(`${path}\n${packed}`).digest("base64url").slice(0, sealLength);
}
