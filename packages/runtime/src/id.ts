import { v7 } from "uuid";

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Returns a lower-case UUIDv7 (RFC 9562, section 5.7). The IDs that one process creates sort by the time of their creation. */
export function newId(): string {
  return v7();
}

export function isUuidV7(text: string): boolean {
  return uuidV7.test(text);
}
