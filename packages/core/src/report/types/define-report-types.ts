import { coreVersion } from "../../base/version.ts";
import { completeDefinition } from "./complete-definition.ts";
import { shapeOf } from "./definition-shape.ts";
import type { RegisteredReportType, ReportTypeDefinition } from "./type-definition.ts";
import type { CheckedReportType, ReportTypeInput } from "./report-type-input.ts";

/** Recognises report types made by any copy of this package. Its value is that copy's version. */
export const reportTypesBrand: unique symbol = Symbol.for("@reports/core/report-types") as never;

/** Report types that a package exports, each with its authority. Made by `defineReportTypes`. */
export interface ReportTypes {
  readonly [reportTypesBrand]: string;
  readonly reportTypes: readonly RegisteredReportType[];
}

/** One entry of `defineReportTypes`. */
export interface ReportTypeEntry<Definition = ReportTypeInput> {
  readonly definition: Definition;
  /** The authority to start, see and download reports of the type: 1-100 visible characters without quotes and backslashes. */
  readonly authority: string;
}

/** Makes a package's default export with defaults filled in. The catalogue reports all problems of definitions. */
export function defineReportTypes<const Given extends readonly ReportTypeEntry[]>(types: {
  readonly [Index in keyof Given]: Given[Index] & ReportTypeEntry<CheckedReportType<Given[Index]["definition"]>>;
}): ReportTypes {
  // Callers in JavaScript may pass anything.
  if (!Array.isArray(types)) throw new TypeError("defineReportTypes takes a list of { definition, authority }.");
  const entries = types as readonly (Partial<ReportTypeEntry> | null | undefined)[];
  return {
    [reportTypesBrand]: coreVersion,
    reportTypes: entries.map((entry) => ({
      // Invalid definitions and authorities stay, for the catalogue to refuse.
      definition: isDefinition(entry?.definition)
        ? completeDefinition(entry.definition)
        : (entry?.definition as unknown as ReportTypeDefinition),
      authority: entry?.authority as string,
    })),
  };
}

function isDefinition(value: ReportTypeInput | undefined): value is ReportTypeInput {
  return shapeOf(value).problems.length === 0;
}
