import type { EnvironmentRule } from "./read-environment.ts";
import type { EnvironmentSpec } from "./variable.ts";

export function createExactlyOneOfRule<Spec extends EnvironmentSpec>(
  ...keys: readonly (keyof Spec)[]
): EnvironmentRule<Spec> {
  return ({ isSet, nameOf }) => {
    const set = keys.filter((key) => isSet(key));
    if (set.length === 1) return null;
    const names = keys.map(nameOf).join(", ");
    const found = set.length === 0 ? "none of them is" : `${set.map(nameOf).join(" and ")} are`;
    return { variable: names, message: `exactly one of them must be set; ${found}` };
  };
}

/** Returns a rule about variables: if the first one is set, the others are required; if it is not set, the others are forbidden. */
export function createAllOrNoneRule<Spec extends EnvironmentSpec>(
  first: keyof Spec,
  ...others: readonly (keyof Spec)[]
): EnvironmentRule<Spec> {
  return ({ isSet, nameOf }) => {
    const isNeeded = isSet(first);
    const wrong = others.filter((key) => isSet(key) !== isNeeded);
    if (wrong.length === 0) return null;
    const message = isNeeded
      ? `must be set too, because ${nameOf(first)} is set`
      : `has no effect without ${nameOf(first)}; set that too, or unset this`;
    return { variable: wrong.map(nameOf).join(", "), message };
  };
}
