/** A separator within host names, URLs, paths, addresses and file names, and the part after it. */
const joint = /[./\\:@_=&?#%~+*][\p{L}\p{N}]/u;

/** Returns the `dir` for a text. Parts of host names, URLs and ids must not be reordered; other texts follow their first letter. */
export function directionOf(text: string): "ltr" | "auto" {
  const [first = "", ...others] = text.trim().split(/\s+/);
  return others.length === 0 || joint.test(first) ? "ltr" : "auto";
}
