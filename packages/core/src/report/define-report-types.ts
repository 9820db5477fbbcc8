import { coreVersion } from "../version.ts";
import { completeDefinition } from "./complete-definition.ts";
import { problemsOfShape } from "./definition-shape.ts";
import type { RegisteredReportType, ReportTypeDefinition } from "./report-type.ts";
import type { CheckedReportType, ReportTypeInput } from "./report-type-input.ts";

/** By which report types are recognised, whichever copy of this package made them. Its value is that copy's version. */
export const reportTypesBrand: unique symbol = Symbol.for("@reports/core/report-types") as never;

/** Report types that a package exports, each with its authority. Made by `defineReportTypes` alone. */
export interface ReportTypes {
  readonly [reportTypesBrand]: string;
  readonly reportTypes: readonly RegisteredReportType[];
}

/** One entry of `defineReportTypes`. */
export interface ReportTypeEntry<Definition = ReportTypeInput> {
  readonly definition: Definition;
  /** What a caller must hold to start, see and download reports of the type: 1-100 visible characters without quotes and backslashes. */
  readonly authority: string;
}

/**
 * Makes what a package of report types exports by default. Fills in what the definitions leave out; does not throw for what is wrong with
 * them, which is told when the catalogue is built, all at once.
 */
export function defineReportTypes<const Given extends readonly ReportTypeEntry[]>(types: {
  readonly [Index in keyof Given]: Given[Index] & ReportTypeEntry<CheckedReportType<Given[Index]["definition"]>>;
}): ReportTypes {
  const entries: readonly ReportTypeEntry[] = types;
  return {
    [reportTypesBrand]: coreVersion,
    reportTypes: entries.map(({ definition, authority }) => ({
      // What is no definition stays as it is, for the catalogue to refuse.
      definition:
        problemsOfShape(definition).length === 0
          ? completeDefinition(definition)
          : (definition as unknown as ReportTypeDefinition),
      authority,
    })),
  };
}
