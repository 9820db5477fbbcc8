export type OmittedCategories =
  | { readonly kind: "withoutValue" }
  /** Rows without a value in a boolean column get the label “Isolation: not known”. The label “no isolation” would mean that the value is No. */
  | { readonly kind: "notKnown" }
  | { readonly kind: "others"; readonly count: number }
  | { readonly kind: "tooMany"; readonly count: number };

const notKnown = ": not known";

export function toOmittedLabel(omitted: OmittedCategories, columnTitle: string): string {
  switch (omitted.kind) {
    case "withoutValue":
      return `no ${toTitleInSentence(columnTitle)}`;
    case "notKnown":
      return `${columnTitle}${notKnown}`;
    case "others":
      return `${omitted.count} ${omitted.count === 1 ? "other" : "others"}`;
    case "tooMany":
      return `more than ${omitted.count.toLocaleString("en")} different values`;
  }
}

export function toTitleInSentence(title: string): string {
  return /^\p{Lu}\p{Ll}/u.test(title) ? title[0]!.toLowerCase() + title.slice(1) : title;
}

/** Reads a label that toOmittedLabel has made, so that documents can show it in their language. Returns null for another text. */
export function parseOmittedLabel(label: string): OmittedCategories | null {
  if (label.endsWith(notKnown)) return { kind: "notKnown" };
  if (label.startsWith("no ")) return { kind: "withoutValue" };
  const others = /^(\d+) others?$/.exec(label)?.[1];
  if (others !== undefined) return { kind: "others", count: Number(others) };
  const most = /^more than ([\d,]+) different values$/.exec(label)?.[1];
  return most === undefined ? null : { kind: "tooMany", count: Number(most.replaceAll(",", "")) };
}
