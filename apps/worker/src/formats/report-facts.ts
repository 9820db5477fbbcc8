import { formatFacts, type RenderRequest } from "@reports/core/report";
import { userPrincipalPrefix } from "@reports/core/caller";
import { columnTitle } from "./column-title.ts";
import { instantFormatOf, filtersInWords } from "./filter-words.ts";
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
  const titleOf = (key: string): string => columnTitle(definition, key);
  const words = filtersInWords(request.searchParam, definition, {
    instant: instantFormatOf(options.timezone, options.locale),
  });
  const filters = words.map(({ subject, predicate }) => `${subject} ${predicate}`);
  const { showsGroups } = formatFacts[options.format];
  // Under headings the group is no key of the sort; without them it is the first one.
  const sort = sortOf({ sort: options.sort, groupBy: showsGroups ? null : options.groupBy }).map(
    ({ key, descending }) => `${titleOf(key)}${descending ? " (descending)" : ""}`,
  );
  // Without the marks that turn text round, with which one name could be read as another.
  const requester = nameOf(request).replaceAll(/\p{Bidi_Control}/gu, "");
  return {
    provenance: [
      ["Data as of", instant(dataAsOf)],
      ["Requested at", instant(new Date(request.createdAt))],
      ["Requested by", requester],
      ["Time zone", options.timezone],
    ],
    selection: [
      ...labelled("Filters", filters.length > 0 ? filters : ["None: everything is included."]),
      ...labelled("Sorted by", sort.length > 0 ? [sort.join(", ")] : []),
      ...labelled("Grouped by", showsGroups && options.groupBy !== null ? [titleOf(options.groupBy)] : []),
    ],
    identity: [
      ["Report type", `${definition.title} (${request.reportType})`],
      ["Report id", request.reportId],
    ],
  };
}

/**
 * The requester as people know them: a user of the gateway by the account's name alone; somebody of an issuer by their own name, or else the
 * account's there, and then where, so that nobody there can be taken for a user here.
 */
function nameOf({ requestedBy, requesterName }: RenderRequest): string {
  if (requestedBy.startsWith(userPrincipalPrefix)) return requestedBy.slice(userPrincipalPrefix.length);
  const [, issuer, subject] = /^(?:https:\/\/)?([^|]*)\|(.+)$/s.exec(requestedBy) ?? [];
  return subject === undefined ? requestedBy : `${requesterName ?? subject} (${issuer})`;
}

function labelled(label: string, values: readonly string[]): ReportFact[] {
  return values.map((value, at) => [at === 0 ? label : "", value]);
}
