import { createHash } from "node:crypto";
import { normaliseTimestamp, type KeysetPosition, type SearchParam, type SortKey } from "@reports/core";

/** What a cursor belongs to: it cannot be used with another list, filter or sort. */
export interface CursorScope {
  /** The list's path, ids of parents included. */
  readonly path: string;
  /** As they were written: relative times mean other instants on a later page. */
  readonly filters: SearchParam;
  readonly sort: readonly SortKey[];
  /** In which relative times are meant. */
  readonly timezone: string;
}

/** Where a page begins. */
export interface CursorContent {
  readonly position: KeysetPosition;
  /** What the relative times of filters meant on the first page, by the filter's name. */
  readonly instants: Instants;
}

type Instants = Readonly<Record<string, string>>;

const sealLength = 16;

/** Makes the opaque text of a position in a list. */
export function encodeCursor({ position, instants }: CursorContent, scope: CursorScope): string {
  const text = JSON.stringify(Object.keys(instants).length === 0 ? position : [position, instants]);
  return `${sealOf(text, scope)}${Buffer.from(text).toString("base64url")}`;
}

/** What a cursor holds; null when it was not made for this list, filter and sort, or is damaged. */
export function decodeCursor(cursor: string, scope: CursorScope): CursorContent | null {
  // The seal makes mistakes visible. It is no secret: a position that somebody forges shows nothing that its list would not show.
  const isSealed =
    encodeURIComponent(cursor) === cursor && sealOf(textOf(cursor), scope) === cursor.slice(0, sealLength);
  return isSealed ? readContent(cursor) : null;
}

/** The instants that a cursor carries, before anybody knows to which list it belongs. */
export function instantsOf(cursor: string): Instants {
  return readContent(cursor)?.instants ?? {};
}

function textOf(cursor: string): string {
  return Buffer.from(cursor.slice(sealLength), "base64url").toString();
}

function readContent(cursor: string): CursorContent | null {
  let content: unknown;
  try {
    content = JSON.parse(textOf(cursor));
  } catch {
    return null;
  }
  if (isPosition(content)) return { position: content, instants: {} };
  if (!Array.isArray(content)) return null;
  const [position, instants] = content as readonly unknown[];
  return isPosition(position) && isInstants(instants) ? { position, instants } : null;
}

function sealOf(text: string, { path, filters, sort, timezone }: CursorScope): string {
  const whole = JSON.stringify([path, filters, sort, timezone, text]);
  return createHash("sha256").update(whole).digest("base64url").slice(0, sealLength);
}

function isPosition(value: unknown): value is KeysetPosition {
  return Array.isArray(value) && value.every((part) => part === null || typeof part === "string");
}

function isInstants(value: unknown): value is Instants {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.values(value).every((instant) => typeof instant === "string" && isFilterTime(instant))
  );
}

/** Whatever somebody wrote there, it is compared with times by Postgres. */
function isFilterTime(text: string): boolean {
  return normaliseTimestamp(text) === text;
}
