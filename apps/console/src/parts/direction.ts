/** Matches a separator that is followed by a letter or digit, as in host names, URLs, paths, addresses and file names. */
const nameSeparatorPattern = /[./\\:@_=&?#%~+*][\p{L}\p{N}]/u;

/** Returns the `dir` attribute for a text. Names such as host names, URLs and IDs are always left to right. Other texts follow their first letter. */
export function toDirAttribute(text: string): "ltr" | "auto" {
  const [first = "", ...others] = text.trim().split(/\s+/);
  return others.length === 0 || nameSeparatorPattern.test(first) ? "ltr" : "auto";
}
