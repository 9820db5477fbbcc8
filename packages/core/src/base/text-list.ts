/**
 * Returns texts as a list in a sentence: `a, b and c`. It is the same list as that of `Intl.ListFormat("en-GB")`. Programs write lists while they load
 * their modules, and the first use of `Intl` takes as long as half the start of Node.
 */
export function formatTextList(texts: readonly string[], word: "and" | "or" = "and"): string {
  return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} ${word} ${texts.at(-1)}`;
}
