import type { BenchPostgres } from "./data-set.ts";

export interface ResultLine {
  readonly work: string;
  readonly goal: string;
  readonly seen: string;
  readonly met?: boolean;
  readonly compared: string;
}

export interface BenchContext {
  readonly server: BenchPostgres;
  readonly rounds: number;
  readonly domains: number;
  /** Number of queued reports in the section `backlog`. */
  readonly backlog: number;
  /** Folder of this run. It is deleted at the end. */
  readonly folder: string;
  /** Folder that later runs use again. */
  readonly dataFolder: string;
}

export interface BenchSection {
  readonly name: string;
  readonly title: string;
  run(context: BenchContext): Promise<ResultLine[]>;
}

export function formatRatio(value: number): string {
  return `${value.toFixed(2)} ×`;
}

export function formatSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

export function formatMegabytes(mb: number): string {
  return `${Math.round(mb)} MB`;
}
