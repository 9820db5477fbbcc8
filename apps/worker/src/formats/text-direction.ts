export type TextDirection = "ltr" | "rtl";

const rightToLeftLetter =
  /(?=\p{L})[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}]/u;
// The patterns below match the result of `simplifyLetters`, which replaces every right-to-left letter by an Alef.
/** Matches if the first letter or direction mark is right-to-left. Digits and signs before it don't decide the direction. */
const startsRightToLeft = /^[^\p{L}\u200E\u200F\u061C]*[\u200F\u061Cא]/u;
const leftToRightLetterOrDigit = /(?!א)[\p{L}\p{N}]/u;
const leftToRightLetter = /(?!א)\p{L}/u;
/** A sign that joins parts of host names, URLs, paths, addresses and IDs, and the first character of the next part. */
const jointPattern = /[./\\:@_=&?#%~+*][\p{L}\p{N}]/u;
/**
 * Matches a slash or colon between two forms of a right-to-left word, such as "and/or". Alef stands for every right-to-left letter. A Hebrew
 * abbreviation before the sign ends in a quote.
 */
const wordFormsJoint = /(?<=א['"’”]?)[/:](?=א)/gu;
/** Amounts, times and dates, whose signs don't join parts of a name. Four numbers with dots are an IP address and don't match. */
const amountPattern = /(?:^[+~])?\p{N}+(?:,\p{N}{3})*(?:[.:/]\p{N}+){0,2}/gu;
const startsWithAmount = /^[+~]?\p{N}+(?:,\p{N}{3})*(?:[.:/]\p{N}+){0,2}א/u;
const edgePunctuation = new Set(".,;:!?()\"'");
/** Words between white space. A direction mark ends a word, so that the mark stays outside and keeps its effect. */
const wordPattern = /[^\s\p{Bidi_Control}]+/gu;

/** Parts that the text already isolates (UAX 9). They don't count for the direction of the text around them. */
const isolatePattern = /[\u2066-\u2068][^\u2069]*\u2069?/g;

export const popDirectionalIsolateMark = "\u2069";

/** Returns a text's base direction. Names such as host names (decision 0063) are left to right. In prose, the first letter outside names decides. */
export function findTextDirection(text: string): TextDirection {
  if (!mayReadFromRight(text)) return "ltr";
  if (isOneWord(text) && isNameAlone(text.slice(...findWordCore(text)))) return "ltr";
  const prose = text
    .replaceAll(isolatePattern, "")
    .replaceAll(wordPattern, (word) => (isName(word.slice(...findWordCore(word))) ? "" : word));
  return startsRightToLeft.test(simplifyLetters(prose)) ? "rtl" : "ltr";
}

/** Reports whether a text with right-to-left letters must be shown left to right. Otherwise, programs decide by its first letter alone. */
export function needsForcedLeftToRight(text: string): boolean {
  return mayReadFromRight(text) && findTextDirection(text) === "ltr";
}

/** Encloses every host name, URL and ID in an isolate (UAX 9), so that the prose around it does not reorder its parts. */
export function isolateNames(text: string): string {
  if (!rightToLeftLetter.test(text)) return text;
  return text.replaceAll(wordPattern, (word) => {
    const [from, to] = findWordCore(word);
    const core = word.slice(from, to);
    return isName(core) ? word.slice(0, from) + isolateText(core) + word.slice(to) : word;
  });
}

/** Encloses a text in an isolate of its own direction (UAX 9). Returns a text that cannot reorder its neighbours unchanged. */
export function isolateText(text: string): string {
  return mayReadFromRight(text) ? prependOpeningIsolate(text) + popDirectionalIsolateMark : text;
}

export function prependOpeningIsolate(text: string): string {
  return `${findTextDirection(text) === "ltr" ? "\u2066" : "\u2067"}${text}`;
}

/**
 * Reports whether a word with right-to-left letters is a name in prose, such as a host name or a path. Returns false for other words, which need no
 * isolation. A Latin word after a Hebrew prefix and a hyphen is prose.
 */
function isName(word: string): boolean {
  if (!rightToLeftLetter.test(word)) return false;
  const parts = simplifyLetters(word).replaceAll(wordFormsJoint, " ");
  return jointPattern.test(leftToRightLetter.test(parts) ? parts : parts.replaceAll(amountPattern, "0"));
}

/**
 * Reports whether a text is one word with right-to-left letters that is a name. Without prose around it, a word that also has other letters or
 * digits can be an ID.
 */
function isNameAlone(word: string): boolean {
  if (isName(word)) return true;
  if (!rightToLeftLetter.test(word)) return false;
  const simple = simplifyLetters(word);
  return leftToRightLetter.test(simple) || (leftToRightLetterOrDigit.test(simple) && !startsWithAmount.test(simple));
}

/** Replaces every right-to-left letter by an Alef and removes combining marks, so that simple patterns match. */
function simplifyLetters(text: string): string {
  return Array.from(text.replaceAll(/\p{M}/gu, ""), (character) =>
    rightToLeftLetter.test(character) ? "א" : character,
  ).join("");
}

function findWordCore(word: string): readonly [from: number, to: number] {
  let [from, to] = [0, word.length];
  while (from < to && edgePunctuation.has(word[from]!)) from++;
  while (to > from && edgePunctuation.has(word[to - 1]!)) to--;
  return [from, to];
}

function isOneWord(text: string): boolean {
  return !/[\s\p{Bidi_Control}]/u.test(text);
}

function mayReadFromRight(text: string): boolean {
  return rightToLeftLetter.test(text) || /[\u200F\u061C\u202B\u202E]/.test(text);
}

/**
 * Reports whether UTF-8 text may have right-to-left letters. Checks only for the first bytes of U+0590 to U+08FF, of their presentation forms, and
 * of characters beyond U+FFFF.
 */
export function hasRightToLeftLetters(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte >= 0xd6 && (byte <= 0xe0 || byte === 0xef || byte === 0xf0)) return true;
  }
  return false;
}
