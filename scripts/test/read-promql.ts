/** What an expression reads: the metric, and which of its series. */
export interface Selector {
  readonly metric: string;
  /** Whether it reads the series with these labels. */
  matches(labels: Readonly<Record<string, string>>): boolean;
  /** The values that it asks for by name, of each label. */
  readonly listed: readonly (readonly [label: string, values: readonly string[]])[];
}

const keywords = new Set(["and", "or", "unless", "on", "by", "ignoring", "without", "bool", "offset"]);

/** The selectors of an expression of PromQL, as alerts are written here; a parser of the whole language it is not. */
export function selectorsOf(expression: string): Selector[] {
  const withoutGroupings = expression.replaceAll(/\b(?:by|on) \([^)]*\)|\[\w+\]/g, "");
  // What a parenthesis follows is a function.
  return [...withoutGroupings.matchAll(/\b([a-z_]\w*)(?:\{([^}]*)\})?(?!\w|\s*\()/g)]
    .filter(([, name]) => !keywords.has(name!))
    .map(([, metric, inside = ""]) => {
      const matchers = [...inside.matchAll(/(\w+)(=~|!=|!~|=)"([^"]*)"/g)].map(([, label, operator, value]) => {
        const fits = (found: string): boolean =>
          operator!.endsWith("~") ? new RegExp(`^(?:${value})$`).test(found) : found === value;
        return { label: label!, value: value!, fits, wanted: !operator!.startsWith("!") };
      });
      return {
        metric: metric!,
        matches: (labels) => matchers.every(({ label, fits, wanted }) => fits(labels[label] ?? "") === wanted),
        listed: matchers
          .filter(({ value, wanted }) => wanted && /^[\w|-]+$/.test(value))
          .map(({ label, value }) => [label, value.split("|")] as const),
      };
    });
}

/** The labels of each aggregation of an expression; none of one that sums up everything. */
export function groupingsOf(expression: string): string[][] {
  return [...expression.matchAll(/\b(?:(?:sum|max|min|count|group)(?: by \(([^)]*)\))?|on \(([^)]*)\)) \(?/g)].map(
    ([, by, on]) => (by ?? on ?? "").split(", "),
  );
}
