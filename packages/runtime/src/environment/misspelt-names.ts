import { distance } from "fastest-levenshtein";
import type { ConfigurationProblem } from "../startup-error.ts";

/** Names that differ from a known one by more characters may belong to other software, as may short names. */
const maxDifferences = 2;
const minLength = 8;

/** Kubernetes sets variables such as `WORKERS_PORT=tcp://10.0.0.7:80` for each Service of a namespace. */
const serviceAddress = /^(tcp|udp|sctp):\/\//;

/** Finds variables that are not known, have a value, and are almost spelt as a known one, whose default would otherwise apply silently. */
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
