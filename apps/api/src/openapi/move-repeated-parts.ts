import { STATUS_CODES } from "node:http";

type Json = Readonly<Record<string, unknown>>;
type PartKind = "headers" | "parameters" | "responses";

export function moveRepeatedPartsToComponents(document: Json): Json {
  const withHeaders = sharePartsOfKind(document, "headers");
  const withParameters = sharePartsOfKind(withHeaders, "parameters");
  return sharePartsOfKind(withParameters, "responses");
}

function sharePartsOfKind(document: Json, kind: PartKind): Json {
  const counts = new Map<string, Map<string, number>>();
  mapParts(document, kind, (name, value) => {
    const variants = counts.get(name) ?? new Map<string, number>();
    const text = JSON.stringify(value);
    counts.set(name, variants.set(text, (variants.get(text) ?? 0) + 1));
    return value;
  });
  const shared = new Map<string, string>();
  for (const [name, variants] of counts) {
    const [text, count] = [...variants].reduce((most, one) => (one[1] > most[1] ? one : most));
    if (count > 1) shared.set(name, text);
  }
  const pointed = mapParts(document, kind, (name, value) =>
    shared.get(name) === JSON.stringify(value) ? { $ref: `#/components/${kind}/${name}` } : value,
  );
  const components = Object.fromEntries([...shared].map(([name, text]) => [name, JSON.parse(text) as unknown]));
  return { ...pointed, components: { ...(pointed["components"] as Json), [kind]: components } };
}

function mapParts(document: Json, kind: PartKind, change: (name: string, value: Json) => unknown): Json {
  const paths = mapValues(document["paths"] as Json, (operations) =>
    mapValues(operations as Json, (value) => {
      const operation = value as Json;
      if (kind === "parameters") {
        const parameters = (operation["parameters"] as readonly Json[]).map((parameter) =>
          parameter["in"] === "path" ? parameter : change(String(parameter["name"]), parameter),
        );
        return { ...operation, parameters };
      }
      return { ...operation, responses: mapResponses(operation["responses"] as Json, kind, change) };
    }),
  );
  return { ...document, paths };
}

function mapResponses(responses: Json, kind: "headers" | "responses", change: (name: string, value: Json) => unknown) {
  return mapValues(responses, (value, status) => {
    const response = value as Json;
    if (kind === "headers")
      return {
        ...response,
        headers: mapValues(response["headers"] as Json, (header, name) => change(name, header as Json)),
      };
    const isProblem = status === "default" || Number(status) >= 400;
    return isProblem ? change(nameProblemResponse(status), response) : response;
  });
}

function nameProblemResponse(status: string): string {
  return (STATUS_CODES[status] ?? "Unexpected Problem").replaceAll(/[^A-Za-z]/g, "");
}

function mapValues(object: Json, change: (value: unknown, name: string) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
}
