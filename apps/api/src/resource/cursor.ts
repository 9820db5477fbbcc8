import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { createAnchor, isDay, normaliseTimestamp, uuidPattern, type KeysetPosition } from "@reports/core/query";
import { z } from "zod";

export type CursorQuery = Readonly<Record<string, string | readonly string[]>>;

export interface CursorScope {
  /** The path of the list, including IDs of parents. A cursor of another path is refused. */
  readonly path: string;
  /** The parameters that differ from their defaults. Relative times are as the caller wrote them. */
  readonly query: CursorQuery;
  /** The instants and days to which the first page resolved relative times, by filter. */
  readonly instants: Readonly<Record<string, string>>;
}

const sortValuesSchema = z.union([z.string(), z.array(z.string()).min(1)]);
const cursorContentSchema = z.tuple([
  z.union([
    z.array(z.union([z.string(), z.null()])),
    z.strictObject({ id: z.string().regex(uuidPattern), hash: z.string() }),
  ]),
  z.record(z.string(), sortValuesSchema),
  // They must be valid times or days, because Postgres compares them with times or days.
  z.record(
    z.string(),
    z.string().refine((text) => normaliseTimestamp(text) === text || isDay(text)),
  ),
]);

type CursorContent = z.output<typeof cursorContentSchema>;

/** Maximum length in characters. docs/reference/http.md#lists. */
export const maxCursorLength = 2_048;
/** Maximum size of the decompressed JSON, in bytes. A URL has at most 16 KiB, so no query needs more. */
const maxContentBytes = 65_536;
const sealLength = 16;
/** A record's ID and hash that compress as badly as any, because their characters hardly repeat. */
const longestAnchor = { id: "01928374-65fa-7bcd-8e90-f1a2b3c4d5e6", hash: "q7Xv0Zk3_RfM-8sLtY1bWd" };
/** How many characters longer another record's ID and hash may be after compression. */
const anchorLengthMargin = 32;

/** Encodes a cursor. If the sort values are too long, the cursor contains the ID and a hash of the last record instead. */
export function encodeCursor(position: KeysetPosition, scope: CursorScope): string {
  const whole = packCursor(position, scope);
  return whole.length <= maxCursorLength ? whole : packCursor(createAnchor(position), scope);
}

/** Reports whether cursors of the list stay within the maximum length, for any record and any `limit` and `count` of the next page. */
export function fitsCursor(scope: CursorScope): boolean {
  const query = { ...scope.query, limit: "200", count: "exact" };
  return packCursor(longestAnchor, { ...scope, query }).length <= maxCursorLength - anchorLengthMargin;
}

/** Decodes a cursor. Returns null if the cursor is damaged or belongs to another path. */
export function decodeCursor(
  cursor: string,
  path: string,
): (Omit<CursorScope, "path"> & { readonly position: CursorContent[0] }) | null {
  const [seal, packed] = [cursor.slice(0, sealLength), cursor.slice(sealLength)];
  // The seal only detects mistakes, and needs no secret: a forged cursor shows no more than its query would.
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

/** Returns a checksum of the encoded text, so that each cursor has one spelling. */
function computeSeal(packed: string, path: string): string {
  return createHash("sha256").update(`${path}\n${packed}`).digest("base64url").slice(0, sealLength);
}
