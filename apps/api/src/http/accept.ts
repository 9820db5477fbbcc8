import { listElements } from "./list-header.ts";

interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  readonly parameters: ReadonlyMap<string, string>;
  /** 0 to 1. */
  readonly quality: number;
}

/** Elements of one header that are read; nobody's list is longer. */
const maxRanges = 100;
const rangePattern = /^(\*|[\w!#$&^.+-]+)(?:\/(\*|[\w!#$&^.+-]+))?$/;

/** What came of negotiating. */
export type Negotiation =
  | { readonly outcome: "chosen"; readonly mediaType: string }
  | { readonly outcome: "none" | "malformed" };

/**
 * Which of the offered media types an `Accept` header likes best (RFC 9110 §12.5.1), the first where it lists nothing; malformed when nothing
 * that it lists can be read. Elements that cannot be read are ignored as long as another can, and so are those after the hundredth. A bare
 * `*`, which old clients send, is read as the range of every type.
 */
export function chooseMediaType(accept: string | undefined, offered: readonly [string, ...string[]]): Negotiation {
  const elements = listElements(accept ?? "", maxRanges);
  if (elements.length === 0) return { outcome: "chosen", mediaType: offered[0] };
  const ranges = elements.flatMap((element) => parseRange(element) ?? []);
  if (ranges.length === 0) return { outcome: "malformed" };
  let best: Negotiation = { outcome: "none" };
  let bestQuality = 0;
  for (const mediaType of offered) {
    const quality = qualityOf(mediaType, ranges);
    if (quality <= bestQuality) continue;
    best = { outcome: "chosen", mediaType };
    bestQuality = quality;
  }
  return best;
}

function parseRange(element: string): MediaRange | null {
  const [range = "", ...rest] = element.split(";").map((part) => part.trim());
  const [, type, subtype = type === "*" ? "*" : undefined] = rangePattern.exec(range.toLowerCase()) ?? [];
  if (type === undefined || subtype === undefined || (type === "*" && subtype !== "*")) return null;
  const parameters = new Map<string, string>();
  let quality = 1;
  for (const part of rest) {
    const [name = "", value = ""] = part.split("=").map((side) => side.trim().toLowerCase());
    if (name === "q") {
      // What follows q belongs to Accept, not to the media type.
      quality = /^(?:[01](?:\.\d{0,3})?|\.\d{1,3})$/.test(value) ? Math.min(Number(value), 1) : 0;
      break;
    }
    parameters.set(name, value.replaceAll('"', ""));
  }
  return { type, subtype, parameters, quality };
}

/** The quality that the most specific matching range gives; 0 when none matches. */
function qualityOf(mediaType: string, ranges: readonly MediaRange[]): number {
  const offered = parseRange(mediaType);
  if (offered === null) return 0;
  let quality = 0;
  let bestSpecificity = -1;
  for (const range of ranges) {
    const specificity = specificityOf(range, offered);
    if (specificity > bestSpecificity) {
      bestSpecificity = specificity;
      quality = range.quality;
    }
  }
  return quality;
}

function specificityOf(range: MediaRange, offered: MediaRange): number {
  if (range.type === "*") return 0;
  if (range.type !== offered.type) return -1;
  if (range.subtype === "*") return 1;
  if (range.subtype !== offered.subtype) return -1;
  for (const [name, value] of range.parameters) {
    const own = offered.parameters.get(name);
    if (own !== undefined && own !== value) return -1;
  }
  return 2 + range.parameters.size;
}
