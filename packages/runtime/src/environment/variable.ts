import type { z } from "zod";
import type { Secret } from "./secret.ts";

/**
 * An environment variable. It is required unless it has a `default` or is `optional`. An empty value counts as not set, because Compose files
 * and CI pass empty values.
 */
export interface EnvironmentVariable {
  readonly name: string;
  /** Parses the text of the variable. Its messages begin with "must" and say what is allowed. */
  readonly schema: z.ZodType<unknown, string>;
  readonly description: string;
  /** The default as a parsed value, not as text. */
  readonly default?: unknown;
  /** The default as the documentation shows it, if the parsed value would be unclear there. */
  readonly defaultText?: string;
  readonly optional?: boolean;
  /** If true, the value is wrapped in a Secret, and may come from the file that `NAME_FILE` names. */
  readonly secret?: boolean;
  readonly each?: VariablesPerName;
}

/** Variables that exist once per name in a list, such as `REPORT_SOURCE_BILLING_URL`. Another variable with the prefix is an error. */
export interface VariablesPerName {
  readonly prefix: string;
  readonly variables: Readonly<Record<string, Omit<EnvironmentVariable, "each">>>;
}

export type EnvironmentSpec = Readonly<Record<string, EnvironmentVariable>>;

type ReadValue<Variable extends EnvironmentVariable> = Variable extends { readonly secret: true }
  ? Secret<z.output<Variable["schema"]>>
  : z.output<Variable["schema"]>;

type PresentValue<Variable extends EnvironmentVariable> = Variable extends {
  readonly each: infer Each extends VariablesPerName;
}
  ? Readonly<Record<string, ConfigurationOf<Each["variables"]>>>
  : Variable extends { readonly optional: true }
    ? ReadValue<Variable> | undefined
    : ReadValue<Variable>;

export type ConfigurationOf<Spec extends EnvironmentSpec> = {
  readonly [Key in keyof Spec]: PresentValue<Spec[Key]>;
};

/** Returns the definitions of variables unchanged, with their literal types, from which the type of the configuration follows. */
export function defineEnvironment<const Spec extends EnvironmentSpec>(spec: Spec): Spec {
  return spec;
}
