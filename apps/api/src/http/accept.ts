import { splitListHeader } from "./list-header.ts";

interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

const maxMediaRanges = 100;
const mediaRangePattern = /^(\*|[\w!#$&^.+-]+)(?:\/(\*|[\w!#$&^.+-]+))?$/;

export type MediaTypeChoice =
  | { readonly outcome: "chosen"; readonly mediaType: string }
  | { readonly outcome: "none" | "malformed" };

/**
 * Chooses the offered media type that `Accept` prefers (RFC 9110 §12.5.1), or the first one if `Accept` is empty. If no media range is readable,
 * the outcome is `malformed`. Ignores unreadable media ranges and those after the hundredth. A bare `*`, which old clients send, means every type.
 */
export function chooseMediaType(accept: string | undefined, offered: readonly [string, ...string[]]): MediaTypeChoice {
  const elements = splitListHeader(accept ?? "", maxMediaRanges);
  if (elements.length === 0) return { outcome: "chosen", mediaType: offered[0] };
  const ranges = elements.flatMap((element) => parseMediaRange(element) ?? []);
  if (ranges.length === 0) return { outcome: "malformed" };
  let best: MediaTypeChoice = { outcome: "none" };
  let bestQuality = 0;
  for (const mediaType of offered) {
    const quality = qualityOf(mediaType, ranges);
    if (quality <= bestQuality) continue;
    best = { outcome: "chosen", mediaType };
    bestQuality = quality;
  }
  return best;
}

function parseMediaRange(element: string): MediaRange | null {
  const [range = "", ...rest] = element.split(";").map((part) => part.trim());
  const [, type, subtype = type === "*" ? "*" : undefined] = mediaRangePattern.exec(range.toLowerCase()) ?? [];
  if (type === undefined || subtype === undefined || (type === "*" && subtype !== "*")) return null;
  const parameters = new Map<string, string>();
  let quality = 1;
  for (const part of rest) {
    const [name = "", value = ""] = part.split("=").map((side) => side.trim().toLowerCase());
    if (name === "q") {
      // Parameters before `q` belong to the media type. The API ignores parameters after `q`, which extend Accept.
      quality = /^(?:[01](?:\.\d{0,3})?|\.\d{1,3})$/.test(value) ? Math.min(Number(value), 1) : 0;
      break;
    }
    parameters.set(name, value.replaceAll('"', ""));
  }
  return { type, subtype, parameters, quality };
}

function qualityOf(mediaType: string, ranges: readonly MediaRange[]): number {
  const offered = parseMediaRange(mediaType);
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
