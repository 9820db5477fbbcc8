import { formatFacts, userPrincipalPrefix } from "@reports/core";
import { createInstantFormat, filtersInWords } from "./filter-words.ts";
import type { RenderDocument } from "./format-renderer.ts";
import { sortOf } from "./group-rows.ts";

/** One thing that a report says of itself. A label that is empty goes on with the one above. */
export type ReportFact<Value = string> = readonly [label: string, value: Value];

/** What a report says of itself beside its rows, the same in every format that says it. */
export interface ReportFacts<Instant = string> {
  /** Of when it is, and for whom. */
  readonly provenance: readonly ReportFact<string | Instant>[];
  /** What was chosen, and in which order. */
  readonly selection: readonly ReportFact[];
  /** By what it is found again. */
  readonly identity: readonly ReportFact[];
}

/** @param instant writes the times of the provenance; those of filters are always written out. */
export function reportFacts<Instant = string>(
  { request, definition }: Pick<RenderDocument, "request" | "definition">,
  dataAsOf: Date,
  instant: (at: Date) => Instant,
): ReportFacts<Instant> {
  const { options } = request;
  const titleOf = (key: string): string => definition.columns.find((column) => column.key === key)?.title ?? key;
  const words = filtersInWords(request.searchParam, definition, {
    instant: createInstantFormat(options.timezone, options.locale),
  });
  const filters = words.map(({ subject, predicate }) => `${subject} ${predicate}`);
  const { showsGroups } = formatFacts[options.format];
  // Under headings the group is no key of the sort; without them it is the first one.
  const sort = sortOf({ sort: options.sort, groupBy: showsGroups ? null : options.groupBy }).map(
    ({ key, descending }) => `${titleOf(key)}${descending ? " (descending)" : ""}`,
  );
  return {
    provenance: [
      ["Data as of", instant(dataAsOf)],
      ["Requested at", instant(new Date(request.createdAt))],
      ["Requested by", nameOf(request.requestedBy)],
      ["Time zone", options.timezone],
    ],
    selection: [
      ...labelled("Filters", filters.length > 0 ? filters : ["None: everything is included."]),
      ...labelled("Sorted by", sort.length > 0 ? [sort.join(", ")] : []),
      ...labelled("Grouped by", showsGroups && options.groupBy !== null ? [titleOf(options.groupBy)] : []),
    ],
    identity: [
      ["Report type", request.reportType],
      ["Report id", request.reportId],
    ],
  };
}

/**
 * An account as people know it: a user of the gateway by the name alone, somebody whom an issuer knows by the name there, and then where. Without
 * the marks that turn text round, with which one name could be read as another.
 */
function nameOf(principal: string): string {
  const shown = principal.replaceAll(/\p{Bidi_Control}/gu, "");
  if (shown.startsWith(userPrincipalPrefix)) return shown.slice(userPrincipalPrefix.length);
  const [, issuer, subject] = /^(?:https:\/\/)?([^|]*)\|(.+)$/s.exec(shown) ?? [];
  return subject === undefined ? shown : `${subject} (${issuer})`;
}

function labelled(label: string, values: readonly string[]): ReportFact[] {
  return values.map((value, at) => [at === 0 ? label : "", value]);
}
