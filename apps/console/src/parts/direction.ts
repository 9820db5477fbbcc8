/** What joins the parts of host names, URLs, paths, addresses and file names, in front of one of them. */
const joint = /[./\\:@_=&?#%~+*][\p{L}\p{N}]/u;

/**
 * Returns the `dir` of an element that shows this text. Host names, URLs and ids are laid out from left to right in every script: another order
 * of their parts is another name. Other texts have the direction of their first letter.
 */
export function directionOf(text: string): "ltr" | "auto" {
  const [first = "", ...others] = text.trim().split(/\s+/);
  return others.length === 0 || joint.test(first) ? "ltr" : "auto";
}
