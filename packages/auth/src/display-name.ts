import type { JWTPayload } from "jose";

const maxNameLength = 200;

/** Returns the claim `name` (OpenID Connect Core §5.1) without control characters and direction marks; null if empty or above 200 characters. */
export function readDisplayName({ name }: JWTPayload): string | null {
  if (typeof name !== "string") return null;
  const line = name
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu, "")
    .trim();
  const isSeen = /[^\s\p{Default_Ignorable_Code_Point}]/u.test(line);
  return isSeen && line.length <= maxNameLength ? line : null;
}
