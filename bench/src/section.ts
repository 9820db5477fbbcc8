import type { BenchPostgres } from "./data-set.ts";

export interface ResultLine {
  readonly work: string;
  readonly goal: string;
  readonly seen: string;
  /** Whether the result meets the goal. Undefined if there is no goal. */
  readonly met?: boolean;
  /** How the values were measured and compared, for readers of the results. */
  readonly compared: string;
}

export interface BenchContext {
  readonly server: BenchPostgres;
  readonly rounds: number;
  readonly domains: number;
  /** Number of queued reports in the section `backlog`. */
  readonly backlog: number;
  readonly folder: string;
}

export interface Section {
  readonly name: string;
  readonly title: string;
  run(context: BenchContext): Promise<ResultLine[]>;
}

/** Formats a ratio, such as `1.08 ×`. */
export function formatRatio(value: number): string {
  return `${value.toFixed(2)} ×`;
}

export function formatSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

export function formatMegabytes(mb: number): string {
  return `${Math.round(mb)} MB`;
}
