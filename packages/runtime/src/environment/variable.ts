import type { z } from "zod";
import type { Secret } from "./secret.ts";

/** Required without `default` and `optional`. An empty value counts as not set, as compose files and CI pass it. */
export interface EnvironmentVariable {
  readonly name: string;
  /** Its messages complete "must be …" and say what is allowed. */
  readonly schema: z.ZodType<unknown, string>;
  /** One line for docs/reference/configuration.md, understood alone. */
  readonly description: string;
  /** A value, not text. */
  readonly default?: unknown;
  /** The default in the documentation, if its text is unclear. */
  readonly defaultText?: string;
  readonly optional?: boolean;
  /** Wraps the value in a Secret, and allows the file in `NAME_FILE`. */
  readonly secret?: boolean;
  readonly each?: VariablesOfEach;
}

/** `prefix`, the name in capitals, `_` and the variable's name: `REPORT_SOURCE_BILLING_URL`. Others are mistakes. */
export interface VariablesOfEach {
  readonly prefix: string;
  readonly variables: Readonly<Record<string, Omit<EnvironmentVariable, "each">>>;
}

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

export type ConfigurationOf<Spec extends EnvironmentSpec> = {
  readonly [Key in keyof Spec]: PresentValue<Spec[Key]>;
};

/** Keeps a spec's literal types. */
export function defineEnvironment<const Spec extends EnvironmentSpec>(spec: Spec): Spec {
  return spec;
}
