import { formatProperties, type RenderRequest } from "@reports/core/report";
import { userPrincipalPrefix } from "@reports/core/caller";
import { findColumnTitle } from "./column-title.ts";
import { describeFilters } from "./filter-words.ts";
import type { DocumentInput } from "./format-renderer.ts";
import { toGroupedSortKeys } from "./group-rows.ts";
import type { Words } from "./words/words.ts";

/** Label and value of a fact about a report. If the label is empty, the value continues the previous fact. */
export type ReportFact<Value = string> = readonly [label: string, value: Value];

export interface ReportFacts<Instant = string> {
  readonly provenance: readonly ReportFact<string | Instant>[];
  readonly selection: readonly ReportFact[];
  readonly identity: readonly ReportFact[];
}

/** Lists the facts about a report in words. `instant` formats the times of the data and of the request; times in filters are always text. */
export function listReportFacts<Instant = string>(
  { request, definition }: Pick<DocumentInput, "request" | "definition">,
  dataAsOf: Date,
  { instant, words }: { readonly instant: (at: Date) => Instant; readonly words: Words },
): ReportFacts<Instant> {
  const { options } = request;
  const titleOf = (key: string): string => findColumnTitle(definition, key);
  const filters = describeFilters(request.searchParam, definition, { options, words });
  const { showsGroups } = formatProperties[options.format];
  // A format that shows groups under headings does not list the group's column as a sort key. In other formats, that column is the first sort key.
  const sort = toGroupedSortKeys({ sort: options.sort, groupBy: showsGroups ? null : options.groupBy }).map(
    ({ key, descending }) => (descending ? words.text("descending", { column: titleOf(key) }) : titleOf(key)),
  );
  // Direction marks are removed, because they could make one person's name look like another's.
  const requester = requesterLabel(request).replaceAll(/\p{Bidi_Control}/gu, "");
  return {
    provenance: [
      [words.text("dataAsOf"), instant(dataAsOf)],
      [words.text("requestedAt"), instant(new Date(request.createdAt))],
      [words.text("requestedBy"), requester],
      [words.text("timeZone"), options.timezone],
    ],
    selection: [
      ...labelFirstValue(words.text("filters"), filters.length > 0 ? filters : [words.text("noFilters")]),
      ...labelFirstValue(words.text("sortedBy"), sort.length > 0 ? [sort.join(", ")] : []),
      ...labelFirstValue(
        words.text("groupedBy"),
        showsGroups && options.groupBy !== null ? [titleOf(options.groupBy)] : [],
      ),
    ],
    identity: [
      [words.text("reportType"), `${definition.title} (${request.reportType})`],
      [words.text("reportId"), request.reportId],
    ],
  };
}

/** Returns the name of the requester. Only a local user is shown without an issuer, so that nobody else can pose as a local user. */
function requesterLabel({ requestedBy, requesterName }: RenderRequest): string {
  if (requestedBy.startsWith(userPrincipalPrefix)) return requestedBy.slice(userPrincipalPrefix.length);
  const [, issuer, subject] = /^(?:https:\/\/)?([^|]*)\|(.+)$/s.exec(requestedBy) ?? [];
  return subject === undefined ? requestedBy : `${requesterName ?? subject} (${issuer})`;
}

function labelFirstValue(label: string, values: readonly string[]): ReportFact[] {
  return values.map((value, at) => [at === 0 ? label : "", value]);
}
