/** Writes a column's title within a sentence: "Region" is a word, "TLS" a name. */
export function titleInSentence(title: string): string {
  return /^\p{Lu}\p{Ll}/u.test(title) ? title[0]!.toLowerCase() + title.slice(1) : title;
}
