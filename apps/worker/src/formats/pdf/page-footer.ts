import { getInstantFormatter } from "../filter-words.ts";
import type { DocumentInput } from "../format-renderer.ts";
import { popDirectionalIsolate, prependOpeningIsolate } from "../text-direction.ts";
import type { Words } from "../words/words.ts";
import { cutBeforeSuffix } from "./fit-cell.ts";
import type { Pen } from "./pen.ts";

/** Returns the footer lines of every page, so that a page that is forwarded alone shows whose data it has and how old they are. */
export function listFooterLines(
  pen: Pen,
  { request, brand }: Pick<DocumentInput, "request" | "brand">,
  { dataAsOf, words, maxEm }: { readonly dataAsOf: Date; readonly words: Words; readonly maxEm: number },
): string[] {
  const { timezone, locale, language } = request.options;
  const instant = getInstantFormatter(timezone, locale, language)(dataAsOf);
  const provenance = [`${words.text("dataAsOf")} ${instant}`, `${words.text("timeZone")} ${timezone}`];
  // Names are isolated, because a right-to-left name would reorder the line.
  const line = (name: string, facts: readonly string[]): string =>
    cutBeforeSuffix(
      pen,
      prependOpeningIsolate(name),
      popDirectionalIsolate + facts.map((fact) => `  ·  ${fact}`).join(""),
      maxEm,
    );
  const lines = [line(brand.name, provenance), line(request.title, [request.reportId])];
  return brand.footer === null ? lines : [...lines, brand.footer];
}
