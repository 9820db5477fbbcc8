import { problemCatalogue } from "@reports/core/wire";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { buildOpenApiDocument } from "../openapi/openapi-document.ts";
import {
  describeSchemaValue,
  componentSchemasOf,
  type JsonSchema,
  type JsonSchemasByName,
} from "./describe-schema-value.ts";

const blockPattern = /<!-- begin (endpoints|list|fields|problems)(?:: (.+?))? -->\n[^]*?<!-- end -->/g;

export interface GeneratedDocBlock {
  readonly kind: string;
  readonly of: readonly string[];
}

export function parseGeneratedDocBlocks(page: string): GeneratedDocBlock[] {
  return [...page.matchAll(blockPattern)].map(([, kind, of = ""]) => ({
    kind: kind!,
    of: of.split(/ (?:in |beyond )?/).filter((name) => name !== ""),
  }));
}

export function createReferencePageRenderer(endpoints: readonly Endpoint[]): (page: string) => string {
  const document = buildOpenApiDocument(endpoints, { basePath: "", version: "", answers: "open" });
  const schemas = componentSchemasOf(document);
  return (page) =>
    page.replaceAll(blockPattern, (all: string, kind: string, of: string = "") => {
      const rows = renderBlock(kind, of, endpoints, document, schemas);
      return `${all.slice(0, all.indexOf("\n"))}\n\n${rows}\n\n<!-- end -->`;
    });
}

function renderBlock(
  kind: string,
  of: string,
  endpoints: readonly Endpoint[],
  document: object,
  schemas: JsonSchemasByName,
): string {
  const [component, how, other] = of.split(" ") as [string, ("in" | "beyond")?, string?];
  switch (kind) {
    case "endpoints":
      return renderEndpointTable(endpoints.filter(({ path }) => of.split(" ").includes(path)));
    case "list":
      return renderListTables(
        endpoints.find(({ method, path }) => method === "GET" && path === of)!,
        document,
        schemas,
      );
    case "fields":
      return renderFieldTable(schemas[component]!, how === undefined ? {} : { [how]: schemas[other!]! }, schemas);
    default:
      return renderProblemTable();
  }
}

function formatTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(titles), `|${titles.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

function renderEndpointTable(endpoints: readonly Endpoint[]): string {
  const rows = endpoints.map(({ method, path, summary, access, responses }) => [
    `\`${method} ${path}\``,
    summary,
    describeAccess(access),
    Object.keys(responses).join(", "),
  ]);
  return formatTable(["endpoint", "action", "needs", "statuses"], rows);
}

function describeAccess(access: Endpoint["access"]): string {
  switch (access.kind) {
    case "public":
      return "nothing";
    case "authority":
      return `\`${access.authority}\``;
    case "report-type":
      return `the authority of the type (in the ${access.in})`;
    case "report":
      return access.in === "path" && access.changes === true
        ? "the authority of the type; to be the requester or `REPORTS_ADMIN`"
        : "the authority of the type";
    case "password":
      return "name and password";
    case "record":
      return access.of.authority === undefined
        ? `to be the ${access.of.singular}'s owner, or \`REPORTS_ADMIN\``
        : `\`${access.of.authority}\``;
    case "authenticated":
      return "credentials";
  }
}

/**
 * Returns the table of a component's fields. `in` is the schema of the request body that writes them. `beyond` is the schema of a component whose
 * fields the table omits.
 */
function renderFieldTable(
  { properties = {} }: JsonSchema,
  { in: body, beyond }: { readonly in?: JsonSchema; readonly beyond?: JsonSchema },
  schemas: JsonSchemasByName,
): string {
  const rows = Object.entries(properties)
    .filter(([name]) => beyond?.properties?.[name] === undefined)
    .map(([name, field]) => {
      const { value, meaning } = describeSchemaValue(body?.properties?.[name] ?? field, schemas);
      return [`\`${name}\``, value, ...(body === undefined ? [] : [describeRequirement(name, body)]), meaning];
    });
  return formatTable(["field", "value", ...(body === undefined ? [] : ["in a body"]), "meaning"], rows);
}

function describeRequirement(name: string, { required = [], properties = {} }: JsonSchema): string {
  const field = properties[name];
  if (field === undefined) return "–";
  if (required.includes(name)) return "required";
  return field.default === undefined ? "optional" : `\`${JSON.stringify(field.default)}\``;
}

interface Parameter {
  readonly name: string;
  readonly description?: string;
  readonly schema: JsonSchema;
}

function renderListTables({ path, list }: Endpoint, document: object, schemas: JsonSchemasByName): string {
  const { paths } = document as { paths: Record<string, { get: { parameters: Parameter[] } }> };
  const rows = list!.filters.map((name) => {
    const { schema, description } = paths[path]!.get.parameters.find((parameter) => parameter.name === name)!;
    const { value, meaning } = describeSchemaValue({ ...(schema.items ?? schema), description }, schemas);
    // The meaning may end with the allowed values, which the column `value` already lists.
    return [`\`${name}\``, value, value === "text" ? meaning : meaning.replace(/ (?:Each m|M)ust be .*/, "")];
  });
  const sorts = list!.sorts.map((name) => `\`${name}\``).join(", ");
  return `${formatTable(["filter", "value", "meaning"], rows)}\n\nSorts: ${sorts}.`;
}

function renderProblemTable(): string {
  const rows = Object.entries(problemCatalogue)
    .toSorted(([, a], [, b]) => a.status - b.status)
    .map(([code, { status, meaning, remedy }]) => [String(status), `\`${code}\``, meaning, remedy]);
  return formatTable(["status", "code", "cause", "what to do"], rows);
}
