import { distance } from "fastest-levenshtein";
import type { ConfigurationProblem } from "../startup-error.ts";

/**
 * Maximum number of differing characters between a misspelt and a known variable. Names that differ more, and short names, may belong to other
 * software.
 */
const maxDifferences = 2;
const minLength = 8;

/** Matches the value of a variable that Kubernetes sets for each Service of a namespace, such as `WORKERS_PORT=tcp://10.0.0.7:80`. */
const serviceAddress = /^(tcp|udp|sctp):\/\//;

/**
 * Finds unknown variables whose name is almost a known one. Without an error, a misspelt variable would have no effect and its default would apply.
 */
export function findMisspeltNames(
  environment: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): ConfigurationProblem[] {
  const names = new Set(known);
  const targets = known.filter((name) => name.length >= minLength);
  return Object.entries(environment).flatMap(([variable, value]) => {
    const isOther =
      value === undefined ||
      value === "" ||
      names.has(variable) ||
      variable.length < minLength ||
      serviceAddress.test(value);
    if (isOther) return [];
    const nearest = targets.find((name) => distance(name, variable.toUpperCase()) <= maxDifferences);
    return nearest === undefined
      ? []
      : [{ variable, message: `is not read. Did you mean ${nearest}? Rename it, or unset it` }];
  });
}
