import { getInstantFormatter } from "../filter-words.ts";
import type { DocumentInput } from "../format-renderer.ts";
import { popDirectionalIsolateMark, prependOpeningIsolate } from "../text-direction.ts";
import type { Words } from "../words/words.ts";
import { truncateBeforeSuffix } from "./fit-cell-text.ts";
import type { PdfTextPen } from "./pdf-text-pen.ts";

/** Returns the footer lines of every page, so that a page that is forwarded alone shows whose data it has and how old they are. */
export function listFooterLines(
  pen: PdfTextPen,
  { request, brand }: Pick<DocumentInput, "request" | "brand">,
  { dataAsOf, words, maxEm }: { readonly dataAsOf: Date; readonly words: Words; readonly maxEm: number },
): string[] {
  const { timezone, locale, language } = request.options;
  const instant = getInstantFormatter(timezone, locale, language)(dataAsOf);
  const provenance = [`${words.text("dataAsOf")} ${instant}`, `${words.text("timeZone")} ${timezone}`];
  // Each name is enclosed in Unicode isolate marks, because a right-to-left name would otherwise reorder the rest of the line.
  const line = (name: string, facts: readonly string[]): string =>
    truncateBeforeSuffix(
      pen,
      prependOpeningIsolate(name),
      popDirectionalIsolateMark + facts.map((fact) => `  ·  ${fact}`).join(""),
      maxEm,
    );
  const lines = [line(brand.name, provenance), line(request.title, [request.reportId])];
  return brand.footer === null ? lines : [...lines, brand.footer];
}
