import { ExpectedError } from "./errors.ts";
import { isExactNumberLiteral } from "./exact-literal.ts";

export class MalformedJsonError extends ExpectedError {
  override readonly name = "MalformedJsonError";
}

const maxDepth = 32;
// Matches a string, a bracket or a number. The closing quote is optional, so that the search never restarts inside a string and stays linear.
const tokenPattern = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"(\s*:)?)?|[{}[\]]|[-\d][\d.eE+-]*/g;
/** Numbers without an exponent are not checked up to this length, because JavaScript parses 15 digits exactly. */
const maxExactLength = 15;

/**
 * Parses JSON and refuses what parsers read in different ways: repeated keys, `__proto__`, over 32 levels, numbers that JavaScript would round.
 * Throws MalformedJsonError, which calls the text `what`, such as "The body".
 */
export function parseStrictJson(text: string, what: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new MalformedJsonError(
      text.trim() === "" ? `${what} is empty; it must be JSON.` : `${what} is not valid JSON.`,
    );
  }
  refuseAmbiguousJson(text, what);
  return value;
}

export function parseStrictJsonBytes(bytes: Uint8Array, what: string): unknown {
  return parseStrictJson(decodeUtf8(bytes, what), what);
}

function decodeUtf8(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new MalformedJsonError(`${what} is not valid UTF-8.`);
  }
}

function refuseAmbiguousJson(text: string, what: string): void {
  const open: (Set<string> | null)[] = [];
  for (const [match, colon] of text.matchAll(tokenPattern)) {
    if (match === "{" || match === "[") {
      if (open.length === maxDepth)
        throw new MalformedJsonError(`${what} is nested more than ${maxDepth} levels deep.`);
      open.push(match === "{" ? new Set() : null);
    } else if (match === "}" || match === "]") {
      open.pop();
    } else if (colon !== undefined) {
      const key = match.slice(0, -colon.length);
      // Only keys with escapes need JSON.parse. They are rare, and parsing every key would be slow.
      addKey(open.at(-1), key.includes("\\") ? (JSON.parse(key) as string) : key.slice(1, -1), what);
    } else if (!match.startsWith('"')) {
      refuseRoundedNumber(match, what);
    }
  }
}

function addKey(keys: Set<string> | null | undefined, key: string, what: string): void {
  if (key === "__proto__") throw new MalformedJsonError(`${what} has the key "__proto__", which is not allowed.`);
  if (keys?.has(key) === true)
    throw new MalformedJsonError(`${what} has the key ${JSON.stringify(key.slice(0, 60))} twice in one object.`);
  keys?.add(key);
}

function refuseRoundedNumber(literal: string, what: string): void {
  if (literal.length <= maxExactLength && !/[eE]/.test(literal)) return;
  // Numbers above the largest safe integer pass here, because every schema refuses them with a message that says what is allowed.
  if (!(Math.abs(Number(literal)) <= Number.MAX_SAFE_INTEGER) || isExactNumberLiteral(literal)) return;
  const shown = literal.length > 40 ? `${literal.slice(0, 40)}…` : literal;
  throw new MalformedJsonError(
    `${what} has the number ${shown}, which cannot be read exactly. Round it to ${Number(literal)}, or send fewer digits.`,
  );
}
