import type { Paper } from "@reports/core/report";
import type { Words } from "../words/words.ts";
import { escapeXstring } from "./escape-xstring.ts";

export interface PrintSetup {
  readonly paper: Paper;
  readonly title: string;
  readonly brandName: string;
  readonly footer: string | null;
  readonly dataAsOf: string;
  readonly words: Words;
}

const paperSizes = { A4: 9, LETTER: 1 } as const satisfies Readonly<Record<Paper, number>>;
/** Characters across a landscape page that are readable in print, at a scale of about 60 %. */
const maxCharactersPerPage = 230;
const maxHeaderText = 120;

export function pageSetupXml(sheet: PrintSetup, widths: readonly number[]): string {
  const across = Math.ceil(widths.reduce((sum, width) => sum + width, 0) / maxCharactersPerPage);
  return (
    '<pageMargins left="0.4" right="0.4" top="0.7" bottom="0.7" header="0.3" footer="0.3"/>' +
    `<pageSetup paperSize="${paperSizes[sheet.paper]}" fitToWidth="${Math.max(1, across)}" fitToHeight="0" pageOrder="overThenDown" orientation="landscape"/>` +
    headerFooterXml(sheet)
  );
}

/** Returns header and footer. Excel allows 255 characters for each. */
function headerFooterXml({ title, brandName, footer, dataAsOf, words }: PrintSetup): string {
  const header = `&L&9${escapeHeaderText(title)}&R&9${escapeHeaderText(brandName)}`;
  const page = `${words.text("page", { page: "&P" })} ${words.text("ofPages", { pages: "&N" })}`;
  const left = footer === null ? "" : `&L&9${escapeHeaderText(footer)}`;
  const foot = `${left}&C&9${escapeHeaderText(`${words.text("dataAsOf")} ${dataAsOf}`)}&R&9${page}`;
  return `<headerFooter><oddHeader>${escapeXstring(header)}</oddHeader><oddFooter>${escapeXstring(foot)}</oddFooter></headerFooter>`;
}

/**
 * Escapes a text, and shortens it so that a header has space for two such texts. A space keeps a leading digit apart from the font size before it.
 */
function escapeHeaderText(text: string): string {
  const escaped = (/^\d/.test(text) ? ` ${text}` : text).replaceAll("&", "&&");
  return escaped.length <= maxHeaderText
    ? escaped
    : `${escaped
        .slice(0, maxHeaderText)
        .replace(/(?<!&)&+$/, "")
        .toWellFormed()}…`;
}
