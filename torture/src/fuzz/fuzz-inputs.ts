import type { StandProcess } from "@reports/testing";
import { readFileSync } from "node:fs";

export interface FuzzOperation {
  readonly method: string;
  readonly path: string;
  readonly queryNames: readonly string[];
  readonly mediaTypes: readonly string[];
}

export interface FuzzInputs {
  readonly operations: readonly FuzzOperation[];
  /** Known IDs by the path segment in front of them, such as `reports`. The newest is the last. */
  readonly ids: Map<string, string[]>;
  readonly authorizations: { readonly good: string; readonly bad: readonly string[] };
  readonly texts: readonly string[];
  readonly bodies: readonly string[];
  readonly segments: readonly string[];
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
}

interface Parameter {
  readonly name: string;
  readonly in: string;
}

interface OpenApiOperation {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
}

const corporaFolder = new URL("test/corpora/", import.meta.resolve("@reports/api"));

export async function readFuzzInputs(
  { origin }: StandProcess,
  authorizations: FuzzInputs["authorizations"],
  ids: Readonly<Record<string, string>>,
): Promise<FuzzInputs> {
  const response = await fetch(`${origin}/openapi.json`);
  const { paths, components } = (await response.json()) as OpenApiDocument;
  const resolve = (parameter: Parameter | { readonly $ref: string }): Parameter =>
    "$ref" in parameter ? components.parameters[parameter.$ref.split("/").at(-1)!]! : parameter;
  const methods = new Set(["get", "put", "post", "patch", "delete"]);
  return {
    operations: Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([method]) => methods.has(method))
        .map(([method, { parameters = [], requestBody }]) => ({
          method: method.toUpperCase(),
          path,
          queryNames: parameters
            .map(resolve)
            .filter((parameter) => parameter.in === "query")
            .map(({ name }) => name),
          mediaTypes: Object.keys(requestBody?.content ?? {}),
        })),
    ),
    ids: new Map(Object.entries(ids).map(([segment, id]) => [segment, [id]])),
    authorizations,
    texts: [...readCorpus("sql"), ...readCorpus("text"), ...readCorpus("traversal")],
    segments: readCorpus("traversal"),
    bodies: readCorpus("pollution"),
  };
}

/** Adds the ID in the `Location` header of a created record. Keeps the last 21 IDs per path segment before the ID, such as `reports`. */
export function rememberCreatedId({ ids }: FuzzInputs, location: string): void {
  const [segment = "", id = ""] = new URL(location, "http://localhost").pathname.split("/").slice(-2);
  const known = ids.get(segment) ?? [];
  ids.set(segment, [...known.slice(-20), id]);
}

function readCorpus(name: string): string[] {
  return JSON.parse(readFileSync(new URL(`${name}.json`, corporaFolder), "utf8")) as string[];
}
