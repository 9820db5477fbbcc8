import type { ReportSummary } from "@reports/core/report";
import type { DocumentInput } from "./format-renderer.ts";
import { describeFilters } from "./filter-words.ts";
import type { LocalisedSummary } from "./localised-summary.ts";
import type { Words } from "./words/words.ts";

/** Maximum length in characters of the description of filters in a sentence. A longer description appears only in the list of facts. */
const maxFilterLength = 300;

export function selectRelevantSummary(summary: LocalisedSummary, total: number | null): LocalisedSummary {
  if (total === 0) return { figures: [], charts: [], attention: null };
  return {
    ...summary,
    charts: summary.charts.map((chart) => ({ ...chart, points: chart.points.filter((point) => !isZero(point)) })),
    attention: summary.attention?.total === total ? null : summary.attention,
  };
}

function isZero({ values, exact }: ReportSummary["charts"][number]["points"][number]): boolean {
  return exact === undefined && values.every((value) => value === 0);
}

/** Returns the sentence that a report shows instead of rows if it has none. The sentence repeats the filters, which are the reason. */
export function formatNoRowsSentence(
  { request, definition }: Pick<DocumentInput, "request" | "definition">,
  words: Words,
): string {
  const { options } = request;
  const filters = describeFilters(request.searchParam, definition, { options, words }).join("; ");
  if (filters === "") return words.text("noRecords");
  return filters.length > maxFilterLength ? words.text("noRecord") : words.text("noRecordFor", { filters });
}
