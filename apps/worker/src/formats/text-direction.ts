export type TextDirection = "ltr" | "rtl";

const letterFromRight =
  /(?=\p{L})[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}]/u;
// The patterns below match simplified text, in which every right-to-left letter is an Alef.
/** Digits and signs have no direction that a text would take over; marks have no other purpose. */
const startsFromRight = /^[^\p{L}\u200E\u200F\u061C]*[\u200F\u061Cא]/u;
const letterOrDigitFromLeft = /(?!א)[\p{L}\p{N}]/u;
const letterFromLeft = /(?!א)\p{L}/u;
/** What joins the parts of host names, URLs, paths, addresses and ids, in front of one of them. */
const joint = /[./\\:@_=&?#%~+*][\p{L}\p{N}]/u;
/** A slash or colon between right-to-left letters joins forms of a word, such as "and/or". Abbreviations end in a quote. */
const jointOfForms = /(?<=א['"’”]?)[/:](?=א)/gu;
/** Amounts, times and dates: their signs join no parts of a name. Four parts are an IP address. */
const numbers = /(?:^[+~])?\p{N}+(?:,\p{N}{3})*(?:[.:/]\p{N}+){0,2}/gu;
const startsWithAmount = /^[+~]?\p{N}+(?:,\p{N}{3})*(?:[.:/]\p{N}+){0,2}א/u;
/** Punctuation around a word does not belong to a name. */
const edges = new Set(".,;:!?()\"'");
/** Runs without white space. Marks of direction that a text brings along keep their meaning. */
const words = /[^\s\p{Bidi_Control}]+/gu;

/** Isolated parts do not count for the direction of the text around them. */
const isolates = /[\u2066-\u2068][^\u2069]*\u2069?/g;

/** Ends an isolate. */
export const closeIsolate = "\u2069";

/**
 * Decides the base direction of every text. Host names, URLs and ids are left to right, because reordered parts are another name (decision 0063
 * defines names). In prose the first letter outside names decides.
 */
export function directionOf(text: string): TextDirection {
  if (!mayReadFromRight(text)) return "ltr";
  if (isOneWord(text) && isNameAlone(text.slice(...coreOf(text)))) return "ltr";
  const prose = text
    .replaceAll(isolates, "")
    .replaceAll(words, (word) => (isName(word.slice(...coreOf(word))) ? "" : word));
  return startsFromRight.test(simplified(prose)) ? "rtl" : "ltr";
}

/** Whether the text has letters from right to left and the direction from left to right, which programs take from its first letter alone. */
export function readsFromLeft(text: string): boolean {
  return mayReadFromRight(text) && directionOf(text) === "ltr";
}

/** Puts every host name, URL and id of a text in an isolate, so that the prose around it does not turn its parts round. */
export function isolateNames(text: string): string {
  if (!letterFromRight.test(text)) return text;
  return text.replaceAll(words, (word) => {
    const [from, to] = coreOf(word);
    const core = word.slice(from, to);
    return isName(core) ? word.slice(0, from) + isolate(core) + word.slice(to) : word;
  });
}

/** Isolates a text in its own direction; text that cannot reorder others is returned unchanged. */
export function isolate(text: string): string {
  return mayReadFromRight(text) ? openIsolate(text) + closeIsolate : text;
}

export function openIsolate(text: string): string {
  return `${directionOf(text) === "ltr" ? "\u2066" : "\u2067"}${text}`;
}

/** Reports whether a word in prose is a name. A Hebrew prefix with a hyphen before a Latin word is prose. */
function isName(word: string): boolean {
  if (!letterFromRight.test(word)) return false;
  const parts = simplified(word).replaceAll(jointOfForms, " ");
  return joint.test(letterFromLeft.test(parts) ? parts : parts.replaceAll(numbers, "0"));
}

/** Reports whether a text that is one word is a name. Ids have hyphens as well. */
function isNameAlone(word: string): boolean {
  if (isName(word)) return true;
  if (!letterFromRight.test(word)) return false;
  const simple = simplified(word);
  return letterFromLeft.test(simple) || (letterOrDigitFromLeft.test(simple) && !startsWithAmount.test(simple));
}

/** Writes every letter from right to left as an Alef, and leaves out marks on letters. */
function simplified(text: string): string {
  return Array.from(text.replaceAll(/\p{M}/gu, ""), (character) =>
    letterFromRight.test(character) ? "א" : character,
  ).join("");
}

function coreOf(word: string): readonly [from: number, to: number] {
  let [from, to] = [0, word.length];
  while (from < to && edges.has(word[from]!)) from++;
  while (to > from && edges.has(word[to - 1]!)) to--;
  return [from, to];
}

function isOneWord(text: string): boolean {
  return !/[\s\p{Bidi_Control}]/u.test(text);
}

function mayReadFromRight(text: string): boolean {
  return letterFromRight.test(text) || /[\u200F\u061C\u202B\u202E]/.test(text);
}
