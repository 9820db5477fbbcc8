type Fields = Readonly<Record<string, unknown>>;

/** Returns a merge patch (RFC 7396) that turns `before` into `after`. A missing field becomes null, which resets it to its default. */
export function buildPatch(before: Fields, after: Fields): Readonly<Record<string, unknown>> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names.flatMap((name) => {
      const [from, to] = [before[name], after[name] ?? null];
      if (JSON.stringify(from ?? null) === JSON.stringify(to)) return [];
      return [[name, isFields(from) && isFields(to) ? buildPatch(from, to) : to]];
    }),
  );
}

export type LabelledText = readonly [label: string, text: string];

export interface ChangedText {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

export function findChangedTexts(
  before: readonly LabelledText[],
  after: readonly LabelledText[],
): readonly ChangedText[] {
  const [old, now] = [new Map(before), new Map(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((label) => ({ label, before: old.get(label) ?? "", after: now.get(label) ?? "" }))
    .filter((change) => change.before !== change.after);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
