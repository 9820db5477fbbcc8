import type { InputIssue } from "@reports/core/base";
import { describeUnknownName, repeatedParameterIssue } from "@reports/core/query";

export type QueryPair = readonly [name: string, value: string];

export interface ParsedQuery {
  readonly pairs: readonly QueryPair[];
  readonly issues: readonly InputIssue[];
}

const maxQueryPairs = 100;

/**
 * Decodes a query string (without `?`) strictly. Leaves out malformed parameters and returns an issue for each. Above 100 parameters, returns a
 * single issue and reads only the first 100.
 */
export function parseQuery(text: string): ParsedQuery {
  const pairs: QueryPair[] = [];
  const issues: InputIssue[] = [];
  const parts = text.split("&").filter((part) => part !== "");
  for (const part of parts.slice(0, maxQueryPairs)) {
    const equals = part.indexOf("=");
    const name = decodeText(equals < 0 ? part : part.slice(0, equals));
    const value = equals < 0 ? "" : decodeText(part.slice(equals + 1));
    if (name !== null && value !== null) pairs.push([name, value]);
    else
      issues.push({
        parameter: name ?? part.slice(0, 60),
        code: "malformed_encoding",
        message: "The parameter is not percent-encoded UTF-8.",
      });
  }
  return { pairs, issues: parts.length > maxQueryPairs ? [tooManyPairsIssue(parts.length)] : issues };
}

function tooManyPairsIssue(count: number): InputIssue {
  const message = `A query takes at most ${maxQueryPairs} parameters, and ${count.toLocaleString("en-US")} were given.`;
  return { code: "too_many_parameters", message };
}

export function findQueryIssues(pairs: readonly QueryPair[], allowed: readonly string[]): readonly InputIssue[] {
  const times = Map.groupBy(pairs, ([name]) => name);
  const issues: InputIssue[] = [];
  for (const [name, { length }] of times) {
    if (!allowed.includes(name)) {
      issues.push({
        parameter: name,
        code: "unknown_parameter",
        message:
          allowed.length === 0
            ? "This endpoint takes no parameters."
            : describeUnknownName("parameter", name, allowed, issues.length),
      });
    } else if (length > 1) issues.push(repeatedParameterIssue(name, length));
  }
  return issues;
}

export function replaceMeByPrincipalId(
  pairs: readonly QueryPair[],
  parameter: string,
  principalId: string,
): readonly QueryPair[] {
  return pairs.map((pair) => (pair[0] === parameter && pair[1] === "me" ? [parameter, principalId] : pair));
}

export function isValidPercentEncoding(text: string): boolean {
  return decodeText(text) !== null;
}

function decodeText(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}
