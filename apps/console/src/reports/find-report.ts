import type { CallOptions, RecordGateway } from "@reports/client";
import { readFirstPage } from "../shell/first-page.ts";

const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const idEndPattern = /^[0-9a-f]{8}$/;
/** The number of the newest reports among which the end of an id is looked up. It is one page. */
export const searchedReports = 200;
/** The shortest text that the API finds in titles. */
export const minTitleLength = 3;

/** The meaning of a text in the search box. */
export type Wanted =
  | { readonly kind: "id"; readonly id: string }
  | { readonly kind: "idEnd"; readonly end: string }
  | { readonly kind: "title"; readonly text: string }
  | { readonly kind: "short" | "nothing" };

/** Reads the text of the search box: an id, also in a link to a report; the last eight characters of one; or a part of a title. */
export function readWanted(text: string): Wanted {
  const trimmed = text.trim();
  // A link to a report ends with its id.
  const last = trimmed.toLowerCase().split("/").at(-1)!;
  if (idPattern.test(last)) return { kind: "id", id: last };
  if (idEndPattern.test(trimmed.toLowerCase())) return { kind: "idEnd", end: trimmed.toLowerCase() };
  if (trimmed === "") return { kind: "nothing" };
  return trimmed.length < minTitleLength ? { kind: "short" } : { kind: "title", text: trimmed };
}

/** Returns the id of the only report that ends with these characters among the newest that the user sees. Returns null if none or several do. */
export async function findIdByEnd(gateway: RecordGateway, end: string, options: CallOptions): Promise<string | null> {
  const { items } = await readFirstPage(gateway.reports.list({ limit: searchedReports }, options));
  const found = items.filter(({ id }) => id.endsWith(end));
  return found.length === 1 ? found[0]!.id : null;
}
