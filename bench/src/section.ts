import type { BenchPostgres } from "./data-set.ts";

export interface ResultLine {
  readonly work: string;
  readonly goal: string;
  readonly seen: string;
  /** Whether the goal was met. Undefined if there is none. */
  readonly met?: boolean;
  /** Method of the measurement, with the compared values. */
  readonly compared: string;
}

export interface BenchContext {
  readonly server: BenchPostgres;
  readonly rounds: number;
  readonly domains: number;
  /** Number of reports in the queue of the section `backlog`. */
  readonly backlog: number;
  readonly folder: string;
}

export interface Section {
  readonly name: string;
  /** Heading of the section in bench/results.md. */
  readonly title: string;
  run(context: BenchContext): Promise<ResultLine[]>;
}

/** Formats a ratio, such as `1.08 ×`. */
export function formatRatio(value: number): string {
  return `${value.toFixed(2)} ×`;
}

/** Formats milliseconds in seconds, such as `4.21 s`. */
export function formatSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

/** Formats megabytes, such as `87 MB`. */
export function formatMegabytes(mb: number): string {
  return `${Math.round(mb)} MB`;
}
