import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { toKeysetAnchor, isDay, normaliseTimestamp, uuidPattern, type KeysetPosition } from "@reports/core/query";
import { z } from "zod";

export type CursorQuery = Readonly<Record<string, string | readonly string[]>>;

export interface CursorScope {
  /** The path of the list, including the IDs of parents. A cursor is valid only for its path. */
  readonly path: string;
  /** The parameters that differ from their defaults, with relative times as the caller wrote them. */
  readonly query: CursorQuery;
  /** For each filter with a relative time, the instant or day that it meant on the first page. */
  readonly instants: Readonly<Record<string, string>>;
}

const sortValuesSchema = z.union([z.string(), z.array(z.string()).min(1)]);
const cursorContentSchema = z.tuple([
  z.union([
    z.array(z.union([z.string(), z.null()])),
    z.strictObject({ id: z.string().regex(uuidPattern), hash: z.string() }),
  ]),
  z.record(z.string(), sortValuesSchema),
  // The texts of the cursor's `instants` reach Postgres as times or days. A forged cursor may contain any text, so the schema checks them.
  z.record(
    z.string(),
    z.string().refine((text) => normaliseTimestamp(text) === text || isDay(text)),
  ),
]);

type CursorContent = z.output<typeof cursorContentSchema>;

export const maxCursorLength = 2_048;
/** Maximum size of a cursor's decompressed JSON, in bytes. A URL has at most 16 KiB, so no genuine cursor is larger. */
const maxContentBytes = 65_536;
const sealLength = 16;
/**
 * A sample of the ID and hash that replace a long position in a cursor. Its characters hardly repeat, so it compresses as badly as any other ID and
 * hash.
 */
const longestAnchor = { id: "01928374-65fa-7bcd-8e90-f1a2b3c4d5e6", hash: "q7Xv0Zk3_RfM-8sLtY1bWd" };
/** Number of characters by which a cursor with another ID and hash may be longer than one with this sample, because it may compress worse. */
const anchorLengthMargin = 32;

/** Encodes a position in a list. If the sort values of the last record are too long, the cursor contains its ID and a hash of them instead. */
export function encodeCursor(position: KeysetPosition, scope: CursorScope): string {
  const whole = packCursor(position, scope);
  return whole.length <= maxCursorLength ? whole : packCursor(toKeysetAnchor(position), scope);
}

/** Reports whether every cursor of a list fits into the maximum length, for any last record and any `limit` and `count`. */
export function fitsMaxCursorLength(scope: CursorScope): boolean {
  const query = { ...scope.query, limit: "200", count: "exact" };
  return packCursor(longestAnchor, { ...scope, query }).length <= maxCursorLength - anchorLengthMargin;
}

export function decodeCursor(
  cursor: string,
  path: string,
): (Omit<CursorScope, "path"> & { readonly position: CursorContent[0] }) | null {
  const [seal, packed] = [cursor.slice(0, sealLength), cursor.slice(sealLength)];
  // The seal only detects changed cursors, so it needs no secret. A forged cursor shows no more than a query that the caller could send.
  if (cursor.length > maxCursorLength || computeSeal(packed, path) !== seal) return null;
  const { data } = cursorContentSchema.safeParse(unpackCursor(packed));
  if (data === undefined) return null;
  const [position, query, instants] = data;
  return { position, query, instants };
}

function packCursor(position: object, { path, query, instants }: CursorScope): string {
  const packed = deflateRawSync(JSON.stringify([position, query, instants])).toString("base64url");
  return `${computeSeal(packed, path)}${packed}`;
}

function unpackCursor(packed: string): unknown {
  try {
    const bytes = inflateRawSync(Buffer.from(packed, "base64url"), { maxOutputLength: maxContentBytes });
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** Returns a checksum of the encoded cursor. It makes any other spelling of the cursor invalid. */
function computeSeal(packed: string, path: string): string {
  return createHash("sha256").update(`${path}\n${packed}`).digest("base64url").slice(0, sealLength);
}
