import type { CallOptions, RecordGateway } from "@reports/client";
import { readFirstPage } from "../shell/first-page.ts";

const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const idEndPattern = /^[0-9a-f]{8}$/;
/** The end of an ID is looked up among this many newest reports, which the API returns in one page. */
export const maxSearchedReports = 200;
export const minSearchedTitleLength = 3;

export type ReportSearchTarget =
  | { readonly kind: "id"; readonly id: string }
  | { readonly kind: "idEnd"; readonly end: string }
  | { readonly kind: "title"; readonly text: string }
  | { readonly kind: "short" | "nothing" };

export function parseSearchText(text: string): ReportSearchTarget {
  const trimmed = text.trim();
  const last = trimmed.toLowerCase().split("/").at(-1)!;
  if (idPattern.test(last)) return { kind: "id", id: last };
  if (idEndPattern.test(trimmed.toLowerCase())) return { kind: "idEnd", end: trimmed.toLowerCase() };
  if (trimmed === "") return { kind: "nothing" };
  return trimmed.length < minSearchedTitleLength ? { kind: "short" } : { kind: "title", text: trimmed };
}

/** Looks for an ID with this end among the newest reports that the user may see, also those of others. Returns null if none or several match. */
export async function findReportIdByIdEnding(
  gateway: RecordGateway,
  end: string,
  options: CallOptions,
): Promise<string | null> {
  const { items } = await readFirstPage(gateway.reports.list({ limit: maxSearchedReports }, options));
  const found = items.filter(({ id }) => id.endsWith(end));
  return found.length === 1 ? found[0]!.id : null;
}
