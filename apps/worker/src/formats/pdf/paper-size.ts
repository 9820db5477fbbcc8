import type { Paper, ReportOptions } from "@reports/core/report";

export interface PdfPageSize {
  readonly width: number;
  readonly height: number;
  readonly contentWidth: number;
}

const paperSizes: Readonly<Record<Paper, readonly [number, number]>> = { A4: [595, 842], LETTER: [612, 792] };

export const pageMarginPoints = { left: 34, right: 34, top: 32, bottom: 38 } as const;

export function getPdfPageSize(paper: Paper, orientation: Exclude<ReportOptions["orientation"], "auto">): PdfPageSize {
  const [short, long] = paperSizes[paper];
  const [width, height] = orientation === "portrait" ? [short, long] : [long, short];
  return { width, height, contentWidth: width - pageMarginPoints.left - pageMarginPoints.right };
}
