import type { JWTPayload } from "jose";

const longestName = 200;

/**
 * What a token's `name` (OpenID Connect Core §5.1) calls its holder: one line, without control characters and the marks that turn text round.
 * Null where that leaves nothing to see, or more than 200 characters; the token is as good without a name.
 */
export function displayNameOf({ name }: JWTPayload): string | null {
  if (typeof name !== "string") return null;
  const line = name
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu, "")
    .trim();
  const isSeen = /[^\s\p{Default_Ignorable_Code_Point}]/u.test(line);
  return isSeen && line.length <= longestName ? line : null;
}
