import { toPrefixedSpec } from "./read-environment.ts";
import type { EnvironmentSpec, EnvironmentVariable } from "./variable.ts";

export interface VariableDescription {
  readonly name: string;
  /** If true, the value may also come from the file that `NAME_FILE` names. */
  readonly secret: boolean;
  readonly required: boolean;
  /** The default as text. Null for secrets, and for variables without a default. */
  readonly default: string | null;
  readonly description: string;
}

export function describeEnvironment(spec: EnvironmentSpec): readonly VariableDescription[] {
  return Object.values(spec).flatMap((variable) => [describeVariable(variable), ...describeEach(variable)]);
}

function describeVariable(variable: EnvironmentVariable): VariableDescription {
  return {
    name: variable.name,
    secret: variable.secret === true,
    required: variable.default === undefined && variable.optional !== true,
    default: defaultText(variable),
    description: variable.description,
  };
}

function describeEach({ each }: EnvironmentVariable): readonly VariableDescription[] {
  return each === undefined
    ? []
    : Object.values(toPrefixedSpec(each.prefix, "{NAME}", each.variables)).map(describeVariable);
}

function defaultText(variable: EnvironmentVariable): string | null {
  if (variable.defaultText !== undefined) return variable.defaultText;
  if (variable.default === undefined || variable.secret === true) return null;
  if (Array.isArray(variable.default)) return variable.default.join(",");
  return typeof variable.default === "string" ? variable.default : JSON.stringify(variable.default);
}
