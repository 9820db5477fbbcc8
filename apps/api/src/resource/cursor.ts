import { createHash } from "node:crypto";
import type { KeysetPosition, SearchParam, SortKey } from "@reports/core";

/** What a cursor belongs to: it cannot be used with another list, filter or sort. */
export interface CursorScope {
  /** The list's path, ids of parents included. */
  readonly path: string;
  readonly filters: SearchParam;
  readonly sort: readonly SortKey[];
}

const sealLength = 16;

/** Makes the opaque text of a position in a list. */
export function encodeCursor(position: KeysetPosition, scope: CursorScope): string {
  const text = JSON.stringify(position);
  return `${sealOf(text, scope)}${Buffer.from(text).toString("base64url")}`;
}

/** The position that a cursor holds; null when it was not made for this list, filter and sort, or is damaged. */
export function decodeCursor(cursor: string, scope: CursorScope): KeysetPosition | null {
  const text = Buffer.from(cursor.slice(sealLength), "base64url").toString();
  // The seal makes mistakes visible. It is no secret: a position that somebody forges shows nothing that its list would not show.
  if (encodeURIComponent(cursor) !== cursor || sealOf(text, scope) !== cursor.slice(0, sealLength)) return null;
  try {
    const position: unknown = JSON.parse(text);
    return isPosition(position) ? position : null;
  } catch {
    return null;
  }
}

function sealOf(text: string, { path, filters, sort }: CursorScope): string {
  const whole = JSON.stringify([path, filters, sort, text]);
  return createHash("sha256").update(whole).digest("base64url").slice(0, sealLength);
}

function isPosition(value: unknown): value is KeysetPosition {
  return Array.isArray(value) && value.every((part) => part === null || typeof part === "string");
}
