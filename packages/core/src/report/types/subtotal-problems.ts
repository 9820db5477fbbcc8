import { describeAllowedNames } from "../../query/nearest-name.ts";
import {
  findCountProblems,
  findRepeatedNameProblems,
  quoteValue,
  type DefinitionColumnKinds,
} from "./definition-rules.ts";
import { findAggregateColumns } from "./summary.ts";
import type { ReportTypeDefinition } from "./type-definition.ts";

const maxSubtotals = 10;

/** Returns the problems of subtotals. Subtotals are computed from the rows of the file, so they cannot use columns that only the view has. */
export function findSubtotalProblems(
  { summary, groupable }: Pick<ReportTypeDefinition, "summary" | "groupable">,
  { own }: Pick<DefinitionColumnKinds, "own">,
): string[] {
  const { figures, subtotals = [] } = summary;
  if (subtotals.length === 0) return [];
  const keys = figures.map(({ key }) => key);
  return [
    ...findCountProblems("subtotals", subtotals, 0, maxSubtotals),
    ...findRepeatedNameProblems("subtotals: the figure", subtotals),
    ...(groupable.length > 0 ? [] : ["subtotals are shown for each group, and groupable names no column."]),
    ...subtotals.flatMap((key) => {
      const figure = figures.find((each) => each.key === key);
      if (figure === undefined)
        return [`subtotals: there is no figure ${quoteValue(key)}. ${describeAllowedNames(key, keys)}`];
      return findAggregateColumns(figure.aggregate)
        .filter((column) => !own.has(column))
        .map(
          (column) =>
            `subtotals: the figure ${quoteValue(key)} uses ${quoteValue(column)}, which is not a column of the report.`,
        );
    }),
  ];
}
