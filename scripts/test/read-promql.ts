export interface MetricSelector {
  readonly metric: string;
  matches(labels: Readonly<Record<string, string>>): boolean;
  /** Values that the selector names per label, such as `a` and `b` in `{label=~"a|b"}`. */
  readonly listed: readonly (readonly [label: string, values: readonly string[]])[];
}

const keywords = new Set(["and", "or", "unless", "on", "by", "ignoring", "without", "bool", "offset"]);

/** Returns the selectors of a PromQL expression. Parses only the syntax that the alerts of this repository use. */
export function parsePromqlSelectors(expression: string): MetricSelector[] {
  const bare = expression.replaceAll(/\b(?:by|on) \([^)]*\)|\[\w+\]|(?<=, )"[^"]*"/g, "");
  // A name in front of a parenthesis is a function and not a metric.
  return [...bare.matchAll(/\b([a-z_]\w*)(?:\{([^}]*)\})?(?!\w|\s*\()/g)]
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

/**
 * Returns the grouping labels of each aggregation or `on` clause. An aggregation without `by` yields one empty label, so that the test refuses it.
 */
export function parsePromqlGroupings(expression: string): string[][] {
  return [...expression.matchAll(/\b(?:(?:sum|max|min|count|group)(?: by \(([^)]*)\))?|on \(([^)]*)\)) \(?/g)].map(
    ([, by, on]) => (by ?? on ?? "").split(", "),
  );
}
