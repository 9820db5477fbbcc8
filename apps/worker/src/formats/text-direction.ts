/** The base direction of a line of text (Unicode Standard Annex #9). */
export type TextDirection = "ltr" | "rtl";

const rightToLeftScripts = ["Arabic", "Hebrew", "Syriac", "Thaana", "Nko", "Samaritan", "Mandaic", "Adlam"];
const scripts = rightToLeftScripts.map((script) => String.raw`\p{Script=${script}}`).join("");
const letterFromRight = new RegExp(String.raw`(?=\p{L})[${scripts}]`, "u");
/** Digits and signs have no direction that a text would take over; marks have no other purpose. */
const startsFromRight = new RegExp(
  String.raw`^[^\p{L}\u200E\u200F\u061C]*(?:[\u200F\u061C]|(?=\p{L})[${scripts}])`,
  "u",
);
const letterOrDigitFromLeft = new RegExp(String.raw`(?=[\p{L}\p{N}])[^${scripts}]`, "u");
const letterFromLeft = new RegExp(String.raw`(?=\p{L})[^${scripts}]`, "u");
/** What joins the parts of host names, URLs, paths, addresses and ids, in front of one of them. */
const joint = /[./\\:@_=&?#%~+*][\p{L}\p{N}]/u;
/** A slash or colon between right-to-left letters joins forms of a word, such as "and/or". Abbreviations end in a quote. */
const jointOfForms = new RegExp(String.raw`(?<=[${scripts}]['"’”]?)[/:](?=(?=\p{L})[${scripts}])`, "gu");
const numberPattern = String.raw`\p{N}+(?:,\p{N}{3})*(?:[.:/]\p{N}+){0,2}`;
/** Amounts, times and dates: their signs join no parts of a name. Four parts are an IP address. */
const numbers = new RegExp(String.raw`(?:^[+~])?${numberPattern}`, "gu");
const startsWithAmount = new RegExp(String.raw`^[+~]?${numberPattern}(?=\p{L})[${scripts}]`, "u");
/** Punctuation of a sentence around a word is no part of a name. */
const edges = /^([.,;:!?()"']*)(.*?)([.,;:!?()"']*)$/su;
/** Runs without white space. Marks of direction that a text brings along keep their meaning. */
const words = /[^\s\p{Bidi_Control}]+/gu;

/** Isolated parts do not count for the direction of the text around them. */
const isolates = /[\u2066-\u2068][^\u2069]*\u2069?/g;

/** Ends an isolate. */
export const closeIsolate = "\u2069";

/**
 * Returns the base direction of a text: the one place that decides it. Host names, URLs and ids are always laid out from left to right, because
 * another order of their parts is another name. Decision 0063 says which words are names. The first letter of prose gives its direction; names in
 * it do not count.
 */
export function directionOf(text: string): TextDirection {
  if (!mayReadFromRight(text)) return "ltr";
  if (isOneWord(text) && isNameAlone(withoutEdges(text))) return "ltr";
  const prose = text.replaceAll(isolates, "").replaceAll(words, (word) => (isName(withoutEdges(word)) ? "" : word));
  return startsFromRight.test(prose) ? "rtl" : "ltr";
}

/** Whether the text has letters from right to left and the direction from left to right, which programs take from its first letter alone. */
export function readsFromLeft(text: string): boolean {
  return mayReadFromRight(text) && directionOf(text) === "ltr";
}

/** Puts every host name, URL and id of a text in an isolate, so that the prose around it does not turn its parts round. */
export function isolateNames(text: string): string {
  if (!letterFromRight.test(text)) return text;
  return text.replaceAll(words, (word) =>
    word.replace(edges, (_, before: string, core: string, after: string) =>
      isName(core) ? before + isolate(core) + after : word,
    ),
  );
}

/** Isolates a text, in its own direction, from what stands around it. Text that cannot turn anything round stays as it is. */
export function isolate(text: string): string {
  return mayReadFromRight(text) ? openIsolate(text) + closeIsolate : text;
}

/** Begins an isolate with a text in its own direction. */
export function openIsolate(text: string): string {
  return `${directionOf(text) === "ltr" ? "\u2066" : "\u2067"}${text}`;
}

/** Reports whether a word in prose is a name. A Hebrew prefix with a hyphen before a Latin word is prose. */
function isName(word: string): boolean {
  if (!letterFromRight.test(word)) return false;
  const parts = word.replaceAll(jointOfForms, " ");
  return joint.test(letterFromLeft.test(parts) ? parts : parts.replaceAll(numbers, "0"));
}

/** Reports whether a text that is one word is a name. Ids have hyphens as well. */
function isNameAlone(word: string): boolean {
  if (isName(word)) return true;
  if (!letterFromRight.test(word)) return false;
  return letterFromLeft.test(word) || (letterOrDigitFromLeft.test(word) && !startsWithAmount.test(word));
}

function withoutEdges(word: string): string {
  return word.replace(edges, "$2");
}

function isOneWord(text: string): boolean {
  return !/[\s\p{Bidi_Control}]/u.test(text);
}

/** Whether anything in the text has a direction from right to left: letters, or marks that programs set. */
function mayReadFromRight(text: string): boolean {
  return letterFromRight.test(text) || /[\u200F\u061C\u202B\u202E]/.test(text);
}
