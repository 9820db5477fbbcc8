import type { Paper } from "@reports/core/report";
import { xmlText } from "./xml-text.ts";

/** How a sheet is printed. */
export interface PrintedSheet {
  readonly paper: Paper;
  readonly title: string;
  readonly brandName: string;
  readonly footer: string | null;
}

const paperSizes = { A4: 9, LETTER: 1 } as const satisfies Readonly<Record<Paper, number>>;
/** Characters that stand side by side on a page that is printed landscape, at about 60 % of their size: smaller is not read. */
const charactersAcross = 230;
const longestText = 120;

/** Margins, paper, and how many pages stand side by side so that what is printed can be read; as many below each other as it takes. */
export function pageSetup(sheet: PrintedSheet, widths: readonly number[]): string {
  const across = Math.ceil(widths.reduce((sum, width) => sum + width, 0) / charactersAcross);
  return (
    '<pageMargins left="0.4" right="0.4" top="0.7" bottom="0.7" header="0.3" footer="0.3"/>' +
    `<pageSetup paperSize="${paperSizes[sheet.paper]}" fitToWidth="${Math.max(1, across)}" fitToHeight="0" pageOrder="overThenDown" orientation="landscape"/>` +
    headerFooter(sheet)
  );
}

/** Excel takes 255 characters for each of the two. */
function headerFooter({ title, brandName, footer }: PrintedSheet): string {
  const header = `&L&9${code(title)}&R&9${code(brandName)}`;
  const foot = `${footer === null ? "" : `&L&9${code(footer)}`}&R&9Page &P of &N`;
  return `<headerFooter><oddHeader>${xmlText(header)}</oddHeader><oddFooter>${xmlText(foot)}</oddFooter></headerFooter>`;
}

/** Text between codes, not too long for both: a number behind the size would be read as part of it. */
function code(text: string): string {
  const escaped = (/^\d/.test(text) ? ` ${text}` : text).replaceAll("&", "&&");
  return escaped.length <= longestText
    ? escaped
    : `${escaped
        .slice(0, longestText)
        .replace(/(?<!&)&+$/, "")
        .toWellFormed()}…`;
}
