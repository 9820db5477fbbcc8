import type { z } from "zod";
import type { Secret } from "./secret.ts";

/**
 * One variable of the environment. Without `default` and `optional` it is required.
 * A variable that is set to nothing counts as not set, because compose files and CI systems pass unset variables so.
 */
export interface EnvironmentVariable {
  readonly name: string;
  /** Reads the variable's text; its messages complete "must be …" and say what is allowed. */
  readonly schema: z.ZodType<unknown, string>;
  /** One line for docs/reference/configuration.md, understood without the rows around it. */
  readonly description: string;
  /** The value (not its text) when the variable is not set. */
  readonly default?: unknown;
  /** How the default is written in the documentation, when its text would not tell. */
  readonly defaultText?: string;
  /** Without a default: the value may be missing. */
  readonly optional?: boolean;
  /** The value is wrapped in a Secret and may also come from the file that `NAME_FILE` names. */
  readonly secret?: boolean;
  /** The variable is a list of names, each of which has variables of its own. */
  readonly each?: VariablesOfEach;
}

/**
 * Variables that there are once for each name of a list: `prefix`, the name in capitals, `_` and the variable's own name make
 * `REPORT_SOURCE_BILLING_URL`. Every other variable that begins with the prefix is a mistake.
 */
export interface VariablesOfEach {
  readonly prefix: string;
  readonly variables: Readonly<Record<string, Omit<EnvironmentVariable, "each">>>;
}

/** The variables of one process, by the name that its code gives them. */
export type EnvironmentSpec = Readonly<Record<string, EnvironmentVariable>>;

type ReadValue<Variable extends EnvironmentVariable> = Variable extends { readonly secret: true }
  ? Secret<z.output<Variable["schema"]>>
  : z.output<Variable["schema"]>;

type PresentValue<Variable extends EnvironmentVariable> = Variable extends {
  readonly each: infer Each extends VariablesOfEach;
}
  ? Readonly<Record<string, ConfigurationOf<Each["variables"]>>>
  : Variable extends { readonly optional: true }
    ? ReadValue<Variable> | undefined
    : ReadValue<Variable>;

/** What `readEnvironment` makes of a spec. */
export type ConfigurationOf<Spec extends EnvironmentSpec> = {
  readonly [Key in keyof Spec]: PresentValue<Spec[Key]>;
};

/** Keeps the literal types of a spec that is written down apart from the call of `readEnvironment`. */
export function defineEnvironment<const Spec extends EnvironmentSpec>(spec: Spec): Spec {
  return spec;
}
