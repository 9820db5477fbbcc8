import { invalidInputError, type InputIssue } from "@reports/core/base";
import { findQueryIssues, type ParsedQuery } from "../http/query.ts";
import type { Endpoint } from "./endpoint.ts";

/**
 * Reads the declared query parameters. Throws DomainError("bad-request") with every issue. If the endpoint declares `readQuery`, that function
 * checks names and values instead.
 */
export function readDeclaredQuery(
  endpoint: Endpoint,
  { pairs, issues }: ParsedQuery,
): Readonly<Record<string, unknown>> {
  const found: InputIssue[] = [...issues];
  let value: Readonly<Record<string, unknown>> = {};
  if (endpoint.readQuery === undefined && !found.some(({ code }) => code === "too_many_parameters")) {
    const shape = endpoint.query?.shape ?? {};
    found.push(...findQueryIssues(pairs, Object.keys(shape)));
    const parsed = endpoint.query?.safeParse(Object.fromEntries(pairs.filter(([name]) => Object.hasOwn(shape, name))));
    if (parsed?.success === false) {
      found.push(
        ...parsed.error.issues.map(({ path, message }) => ({
          parameter: String(path[0]),
          code: "invalid_parameter",
          message: `${String(path[0])} ${message}.`,
        })),
      );
    }
    value = parsed?.data ?? {};
  }
  if (found.length === 0) return value;
  throw invalidInputError("bad-request", "invalid-parameters", "The query is not valid", found);
}
