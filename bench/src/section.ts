import type { BenchServer } from "./data-set.ts";

/** One line of the table of goals. */
export interface Line {
  readonly work: string;
  readonly goal: string;
  readonly seen: string;
  /** Undefined where there is no goal. */
  readonly met?: boolean;
  /** What was compared, as commands or in words. */
  readonly compared: string;
}

/** What a section of the bench works with. */
export interface BenchContext {
  readonly server: BenchServer;
  readonly rounds: number;
  /** Rows of the large reports. */
  readonly domains: number;
  /** Reports that wait where a long queue is measured. */
  readonly backlog: number;
  /** Scratch folder of this run. */
  readonly folder: string;
  /** An earlier checkout to compare with; null where none was given. */
  readonly against: string | null;
}

/** A part of the bench that can be run by itself. */
export interface Section {
  readonly name: string;
  /** Its heading in docs/benchmarks.md. */
  readonly title: string;
  /** Whether it is left out where there is no checkout to compare with. */
  readonly comparesCheckouts?: boolean;
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
