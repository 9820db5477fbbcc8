import type { Paper, ReportOptions } from "@reports/core/report";

/** A page and what of it is written on, in points. */
export interface PageSize {
  readonly width: number;
  readonly height: number;
  readonly contentWidth: number;
}

/** Short and long side, in points. */
const papers: Readonly<Record<Paper, readonly [number, number]>> = { A4: [595, 842], LETTER: [612, 792] };

/** Space around what is written, in points. */
export const margin = { left: 34, right: 34, top: 32, bottom: 38 } as const;

/** The page of a paper, one way round. */
export function pageSize(paper: Paper, orientation: Exclude<ReportOptions["orientation"], "auto">): PageSize {
  const [short, long] = papers[paper];
  const [width, height] = orientation === "portrait" ? [short, long] : [long, short];
  return { width, height, contentWidth: width - margin.left - margin.right };
}
