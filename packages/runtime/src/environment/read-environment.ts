import { readFileSync, statSync } from "node:fs";
import { ConfigurationError, type ConfigurationProblem } from "../startup-error.ts";
import { findMisspeltNames } from "./misspelt-names.ts";
import { Secret } from "./secret.ts";
import type { ConfigurationOf, EnvironmentSpec, EnvironmentVariable, VariablesPerName } from "./variable.ts";

export type RawEnvironment = Readonly<Record<string, string | undefined>>;

export interface EnvironmentRuleInput<Spec extends EnvironmentSpec> {
  readonly values: Partial<ConfigurationOf<Spec>>;
  /** Reports whether the variable or its variant `NAME_FILE` is set, even to an invalid value. */
  isSet(key: keyof Spec): boolean;
  nameOf(key: keyof Spec): string;
}

export type EnvironmentRule<Spec extends EnvironmentSpec> = (
  input: EnvironmentRuleInput<Spec>,
) => ConfigurationProblem | null;

const maxSecretFileBytes = 64 * 1024;

type TextOrProblem = { readonly text: string | undefined } | { readonly problem: string };

/** Reads all variables of a process and checks every rule about them. Throws one ConfigurationError that lists all problems. */
export function readEnvironment<const Spec extends EnvironmentSpec>(
  spec: Spec,
  environment: RawEnvironment,
  rules: readonly EnvironmentRule<Spec>[] = [],
): ConfigurationOf<Spec> {
  const problems: ConfigurationProblem[] = [];
  const values = readValues(spec, environment, problems);
  problems.push(...findMisspeltNames(environment, Object.values(spec).flatMap(variableNamesOf)));
  const input: EnvironmentRuleInput<Spec> = {
    values: values as Partial<ConfigurationOf<Spec>>,
    isSet: (key) => isVariableSet(spec[key]!, environment),
    nameOf: (key) => spec[key]!.name,
  };
  for (const rule of rules) {
    const problem = rule(input);
    if (problem !== null) problems.push(problem);
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return values as ConfigurationOf<Spec>;
}

function readValues(
  spec: EnvironmentSpec,
  environment: RawEnvironment,
  problems: ConfigurationProblem[],
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [key, variable] of Object.entries(spec)) {
    const result = readVariable(variable, environment);
    if ("problem" in result) problems.push({ variable: variable.name, message: result.problem });
    else if (variable.each === undefined) values[key] = result.value;
    else values[key] = readEach(variable.name, variable.each, result.value as readonly string[], environment, problems);
  }
  return values;
}

/** Reads the variables that exist once per name in a list. Reports other variables with the same prefix as problems, because they may be misspelt. */
function readEach(
  list: string,
  { prefix, variables }: VariablesPerName,
  names: readonly string[],
  environment: RawEnvironment,
  problems: ConfigurationProblem[],
): Readonly<Record<string, unknown>> {
  const specs = new Map(names.map((name) => [name, toPrefixedSpec(prefix, name.toUpperCase(), variables)]));
  const known = new Set([...specs.values()].flatMap((spec) => Object.values(spec).flatMap(variableNamesOf)));
  for (const name of Object.keys(environment)) {
    if (!name.startsWith(prefix) || known.has(name) || unlessEmpty(environment[name]) === undefined) continue;
    const allowed = names.length === 0 ? "names none" : `names ${names.join(", ")}`;
    problems.push({
      variable: name,
      message: `is not read: ${list} ${allowed}, and each has ${describeSuffixes(variables)}; add its name there, or unset it`,
    });
  }
  return Object.fromEntries([...specs].map(([name, spec]) => [name, readValues(spec, environment, problems)]));
}

export function toPrefixedSpec(
  prefix: string,
  name: string,
  variables: VariablesPerName["variables"],
): EnvironmentSpec {
  return Object.fromEntries(
    Object.entries(variables).map(([key, variable]) => [
      key,
      { ...variable, name: `${prefix}${name}_${variable.name}` },
    ]),
  );
}

function variableNamesOf({ name, secret }: EnvironmentVariable): readonly string[] {
  return secret === true ? [name, `${name}_FILE`] : [name];
}

function describeSuffixes(variables: VariablesPerName["variables"]): string {
  return new Intl.ListFormat("en-GB").format(
    Object.values(variables).flatMap(({ name, ...rest }) => variableNamesOf({ name: `_${name}`, ...rest })),
  );
}

function readVariable(
  variable: EnvironmentVariable,
  environment: RawEnvironment,
): { readonly value: unknown } | { readonly problem: string } {
  const reading = readText(variable, environment);
  if ("problem" in reading) return reading;
  const wrap = (value: unknown): unknown => (variable.secret === true ? new Secret(value) : value);
  if (reading.text === undefined) {
    if (variable.default !== undefined) return { value: wrap(variable.default) };
    if (variable.optional === true) return { value: undefined };
    const file = variable.secret === true ? ` (or ${variable.name}_FILE)` : "";
    return { problem: `is required; set it${file}: ${variable.description}` };
  }
  const parsed = variable.schema.safeParse(reading.text);
  if (parsed.success && variable.secret === true)
    return { value: new Secret(parsed.data, () => readAgain(variable, environment)) };
  if (parsed.success) return { value: parsed.data };
  const messages = parsed.error.issues.map((issue) => issue.message);
  const found = variable.secret === true ? "" : `; found ${JSON.stringify(reading.text.slice(0, 80))}`;
  return { problem: `${messages.join("; ")}${found}` };
}

function readText(variable: EnvironmentVariable, environment: RawEnvironment): TextOrProblem {
  const direct = unlessEmpty(environment[variable.name]);
  if (variable.secret !== true) return { text: direct };
  const fileName = `${variable.name}_FILE`;
  const path = unlessEmpty(environment[fileName]);
  if (path === undefined) return { text: direct };
  if (direct !== undefined) return { problem: `is set twice, by itself and by ${fileName}; unset one of them` };
  try {
    if (statSync(path).size > maxSecretFileBytes) {
      return {
        problem: `${fileName} names a file of more than ${maxSecretFileBytes} bytes; it must hold the secret only`,
      };
    }
    // Editors and `echo` end files with a newline that is not part of the secret.
    const text = readFileSync(path, "utf8").replace(/\r?\n$/, "");
    return text === "" ? { problem: `${fileName} names an empty file (${path}); it must hold the secret` } : { text };
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? "unknown error";
    return { problem: `${fileName} names a file that cannot be read (${path}: ${reason})` };
  }
}

/** Reads a secret again during the run of the process, because its file may have been replaced. Returns undefined if the new value is invalid. */
function readAgain(variable: EnvironmentVariable, environment: RawEnvironment): unknown {
  const reading = readText(variable, environment);
  return "problem" in reading || reading.text === undefined ? undefined : variable.schema.safeParse(reading.text).data;
}

function isVariableSet(variable: EnvironmentVariable, environment: RawEnvironment): boolean {
  if (unlessEmpty(environment[variable.name]) !== undefined) return true;
  return variable.secret === true && unlessEmpty(environment[`${variable.name}_FILE`]) !== undefined;
}

function unlessEmpty(text: string | undefined): string | undefined {
  return text === undefined || text === "" ? undefined : text;
}
