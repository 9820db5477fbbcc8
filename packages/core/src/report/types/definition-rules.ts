import { describeAllowedNames } from "../../query/nearest-name.ts";
import type { ColumnKind } from "./column.ts";

export interface DefinitionColumnKinds {
  readonly own: ReadonlyMap<string, ColumnKind>;
  readonly logical: ReadonlyMap<string, ColumnKind>;
}

const keyPattern = /^[a-z][A-Za-z0-9]{0,62}$/;
const controlCharacters = /[\p{Cc}\p{Zl}\p{Zp}]/u;

export function findNameProblems(what: string, name: string): string[] {
  if (!keyPattern.test(name))
    return [`${what} ${quoteValue(name)}: a name is camelCase, of letters and digits, at most 63 of them.`];
  // Rows and parameters are plain JavaScript objects. A name such as `constructor` would find an inherited property there.
  return name in {} ? [`${what} ${quoteValue(name)}: every JavaScript object has a ${name}; take another name.`] : [];
}

export function findTextProblems(what: string, text: string, maxLength: number): string[] {
  const length = [...text].length;
  return text.trim() !== "" && length <= maxLength && text.isWellFormed() && !controlCharacters.test(text)
    ? []
    : [`${what} must be text of 1 to ${maxLength} characters without control characters.`];
}

export function findIntegerProblems(what: string, value: number, min: number, max: number): string[] {
  return Number.isSafeInteger(value) && value >= min && value <= max
    ? []
    : [`${what} must be an integer from ${min} to ${max}, and is ${value}.`];
}

export function findCountProblems(what: string, list: readonly unknown[], min: number, max: number): string[] {
  return list.length >= min && list.length <= max
    ? []
    : [`there must be ${min === 0 ? "at most" : `${min} to`} ${max} ${what}, and there are ${list.length}.`];
}

export function findRepeatedNameProblems(what: string, names: readonly string[]): string[] {
  const repeated = new Set(names.filter((name, at) => names.indexOf(name) !== at));
  return [...repeated].map((name) => `${what} ${quoteValue(name)} appears twice.`);
}

export function findUnknownNameProblems(
  on: string,
  noun: string,
  names: readonly string[],
  allowed: readonly string[],
): string[] {
  return names
    .filter((name) => !allowed.includes(name))
    .map((name) => `${on}: there is no ${noun} ${quoteValue(name)}. ${describeAllowedNames(name, allowed)}`);
}

export function findUnknownColumnProblems(on: string, key: string, among: ReadonlyMap<string, ColumnKind>): string[] {
  return findUnknownNameProblems(on, "column", [key], [...among.keys()]);
}

export function keysIn(parts: readonly { readonly key: string }[]): readonly string[] {
  return parts.map(({ key }) => key);
}

export function quoteValue(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text);
}
