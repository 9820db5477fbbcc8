import type { Filter, FilterValueKind } from "../../query/filters.ts";
import { quoteValue } from "./definition-rules.ts";
import type { ReportRows, ViewColumnType, ViewParameter } from "./row-source.ts";

/** SQL types that match each kind of filter value. The first one is the default type of a parameter. */
export const sqlTypesByValueKind = {
  text: ["text"],
  enum: ["text"],
  hostname: ["text"],
  uuid: ["uuid", "text"],
  integer: ["integer", "bigint", "numeric"],
  decimal: ["numeric", "integer", "bigint"],
  boolean: ["boolean"],
  timestamp: ["timestamptz", "date"],
  date: ["date"],
  time: ["time"],
} as const satisfies Readonly<Record<FilterValueKind, readonly [ViewColumnType, ...ViewColumnType[]]>>;

/** Postgres passes at most 100 arguments to a function. */
const maxParameters = 100;
const [minInteger, maxInteger] = [-2_147_483_648, 2_147_483_647];

export function toParameterSqlType({ type, value }: Pick<ViewParameter, "type" | "value">): ViewColumnType {
  return type ?? sqlTypesByValueKind[value][0];
}

export function toParameterFilters(rows: ReportRows): readonly Filter[] {
  return parametersOf(rows).map((parameter) => {
    const { type: _type, ...filter } = parameter;
    const { min = minInteger, max = maxInteger } = parameter;
    const isInteger = parameter.value === "integer" && toParameterSqlType(parameter) === "integer";
    return {
      ...filter,
      operator: "parameter",
      columns: [],
      ...(isInteger && { min: Math.max(min, minInteger), max: Math.min(max, maxInteger) }),
      // The call passes every argument, so a parameter without a default needs a value.
      ...(parameter.default === undefined && { required: true }),
    };
  });
}

export function findParameterProblems(parameters: readonly ViewParameter[]): string[] {
  if (parameters.length > maxParameters)
    return [`rows: a function has at most ${maxParameters} parameters, and there are ${parameters.length}.`];
  return parameters.flatMap(({ name, value, type }) => {
    // An integer type cannot hold every decimal.
    const fitting: readonly ViewColumnType[] = value === "decimal" ? ["numeric"] : sqlTypesByValueKind[value];
    return type === undefined || fitting.includes(type)
      ? []
      : [
          `rows: parameter ${quoteValue(name)}: values of ${value} need the type ${fitting.join(" or ")}, and not ${type}.`,
        ];
  });
}

export function findParameterFilterProblems(on: string, { name, operator }: Filter, rows: ReportRows): string[] {
  return operator !== "parameter" || parametersOf(rows).some((parameter) => parameter.name === name)
    ? []
    : [`${on}: its operator is parameter. Declare it in the parameters of rows of the kind view instead.`];
}

function parametersOf(rows: ReportRows): readonly ViewParameter[] {
  return rows.kind === "view" ? (rows.parameters ?? []) : [];
}
