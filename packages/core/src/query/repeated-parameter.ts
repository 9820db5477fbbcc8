import type { InputIssue } from "../base/errors.ts";

export function describeRepeatedParameter(name: string, times: number): string {
  return `${name} takes one value, and ${times} were given.`;
}

export function repeatedParameterIssue(name: string, times: number, { isList = false } = {}): InputIssue {
  const hint = isList ? " Separate what it lists with commas." : "";
  return { parameter: name, code: "repeated_parameter", message: `${describeRepeatedParameter(name, times)}${hint}` };
}
