import { specOf } from "./read-environment.ts";
import type { EnvironmentSpec, EnvironmentVariable } from "./variable.ts";

/** One row of a table in docs/reference/configuration.md. */
export interface VariableDescription {
  readonly name: string;
  /** Secrets may also be given as `NAME_FILE`. */
  readonly secret: boolean;
  readonly required: boolean;
  /** As text; null if there is none, and for secrets. */
  readonly default: string | null;
  readonly description: string;
}

export function describeEnvironment(spec: EnvironmentSpec): readonly VariableDescription[] {
  return Object.values(spec).flatMap((variable) => [describe(variable), ...describeEach(variable)]);
}

function describe(variable: EnvironmentVariable): VariableDescription {
  return {
    name: variable.name,
    secret: variable.secret === true,
    required: variable.default === undefined && variable.optional !== true,
    default: defaultText(variable),
    description: variable.description,
  };
}

/** A list's variables once, with a placeholder for the name. */
function describeEach({ each }: EnvironmentVariable): readonly VariableDescription[] {
  return each === undefined ? [] : Object.values(specOf(each.prefix, "{NAME}", each.variables)).map(describe);
}

function defaultText(variable: EnvironmentVariable): string | null {
  if (variable.defaultText !== undefined) return variable.defaultText;
  if (variable.default === undefined || variable.secret === true) return null;
  if (Array.isArray(variable.default)) return variable.default.join(",");
  return typeof variable.default === "string" ? variable.default : JSON.stringify(variable.default);
}
