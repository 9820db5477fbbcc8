import { coreVersion } from "../../base/version.ts";
import { fillDefinitionDefaults } from "./fill-definition-defaults.ts";
import { checkDefinitionShape } from "./definition-shape.ts";
import type { RegisteredReportType, ReportTypeDefinition } from "./type-definition.ts";
import type { CheckedReportType, ReportTypeInput } from "./report-type-input.ts";

/** Key that marks report types, equal in every copy of this package. Its value is the package version of the copy that made them. */
export const reportTypesBrand: unique symbol = Symbol.for("@reports/core/report-types") as never;

/** Report types of a package, each with its authority. Use `defineReportTypes` to make them. */
export interface ReportTypes<Given = readonly ReportTypeEntry[]> {
  readonly [reportTypesBrand]: string;
  readonly reportTypes: readonly RegisteredReportType[];
  /** The definitions as their author wrote them. Only for the compiler: the client derives the types of its requests from them. */
  readonly given?: Given;
}

/** One entry of `defineReportTypes`. */
export interface ReportTypeEntry<Definition = ReportTypeInput> {
  readonly definition: Definition;
  /** Authority that callers need to start, see and download reports of the type: 1 to 100 visible characters without quotes and backslashes. */
  readonly authority: string;
}

/** Returns the report types that a package exports by default, with defaults filled in. Does not validate them: the API and the worker do so at their start, and `checkReportTypes` in tests. */
export function defineReportTypes<const Given extends readonly ReportTypeEntry[]>(types: {
  readonly [Index in keyof Given]: Given[Index] & ReportTypeEntry<CheckedReportType<Given[Index]["definition"]>>;
}): ReportTypes<Given> {
  if (!Array.isArray(types)) throw new TypeError("defineReportTypes takes a list of { definition, authority }.");
  const entries = types as readonly (Partial<ReportTypeEntry> | null | undefined)[];
  return {
    [reportTypesBrand]: coreVersion,
    reportTypes: entries.map((entry) => ({
      // Invalid definitions and authorities are kept, so that the catalogue can report them.
      definition: isDefinition(entry?.definition)
        ? fillDefinitionDefaults(entry.definition)
        : (entry?.definition as unknown as ReportTypeDefinition),
      authority: entry?.authority as string,
    })),
  };
}

function isDefinition(value: ReportTypeInput | undefined): value is ReportTypeInput {
  return checkDefinitionShape(value).problems.length === 0;
}
