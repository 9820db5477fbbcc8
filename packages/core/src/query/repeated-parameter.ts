import type { InputIssue } from "../base/errors.ts";

/** What is said of something that is given several times and takes one value. */
export function takesOneValue(name: string, times: number): string {
  return `${name} takes one value, and ${times} were given.`;
}

/** A parameter of a query that stands there several times. One that `isList` takes them in one value. */
export function repeatedParameter(name: string, times: number, { isList = false } = {}): InputIssue {
  const hint = isList ? " Separate what it lists with commas." : "";
  return { parameter: name, code: "repeated_parameter", message: `${takesOneValue(name, times)}${hint}` };
}
