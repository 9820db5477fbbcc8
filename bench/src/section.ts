import type { BenchServer } from "./data-set.ts";

export interface Line {
  readonly work: string;
  readonly goal: string;
  readonly seen: string;
  /** Undefined without a goal. */
  readonly met?: boolean;
  /** As commands or in words. */
  readonly compared: string;
}

export interface BenchContext {
  readonly server: BenchServer;
  readonly rounds: number;
  readonly domains: number;
  /** Length of the long queue. */
  readonly backlog: number;
  readonly folder: string;
}

export interface Section {
  readonly name: string;
  /** Its heading in bench/results.md. */
  readonly title: string;
  run(context: BenchContext): Promise<Line[]>;
}

/** `1.08 ×`. */
export function times(value: number): string {
  return `${value.toFixed(2)} ×`;
}

/** `4.21 s`. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

/** `87 MB`. */
export function megabytes(mb: number): string {
  return `${Math.round(mb)} MB`;
}
