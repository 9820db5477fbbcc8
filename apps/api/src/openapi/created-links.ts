import type { Endpoint } from "../endpoint/endpoint.ts";

export function findOpenApiRecordLinks(
  created: Endpoint,
  endpoints: readonly Endpoint[],
): Record<string, unknown> | undefined {
  if (created.method !== "POST") return undefined;
  const next = endpoints.filter(
    ({ path }) => /^\{\w+\}$/.test(path.slice(created.path.length + 1)) && path.startsWith(`${created.path}/`),
  );
  if (next.length === 0) return undefined;
  const kept = listPathParameters(created.path).map((name) => [name, `$request.path.${name}`] as const);
  const links = next.map(({ operationId, path }) => {
    const own = listPathParameters(path).at(-1)!;
    return [
      operationId,
      { operationId, parameters: { ...Object.fromEntries(kept), [own]: "$response.body#/id" } },
    ] as const;
  });
  return Object.fromEntries(links);
}

function listPathParameters(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
}
