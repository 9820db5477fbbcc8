import { html, page, type Html } from "../html.ts";

interface Schema {
  readonly description?: string;
  readonly $ref?: string;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
  };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, unknown>> }>
  >;
}
interface Document {
  readonly info: { readonly title: string; readonly description: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

/** The document as a page for people: no scripts, nothing from elsewhere. */
export function docsPage(openApi: Readonly<Record<string, unknown>>, basePath: string): string {
  const document = openApi as unknown as Document;
  const { info, paths, components } = document;
  const sections = Object.entries(paths).map(
    ([path, operations]) =>
      html`<h2><code>${path}</code></h2>
        ${Object.entries(operations).map(([method, operation]) => operationSection(method.toUpperCase(), operation))}`,
  );
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) =>
      html`<details id="${name}">
        <summary><b>${name}</b></summary>
        ${json(schema)}
      </details>`,
  );
  return page(
    info.title,
    html`<h1>${info.title}</h1>
      <p>${info.description}</p>
      <p>
        For programs: <a href="${basePath}/openapi.json">openapi.json</a> (OpenAPI 3.1). Problems:
        <a href="${basePath}/problems">their types</a>. Every GET answers HEAD, every path OPTIONS.
      </p>
      ${sections}
      <h2>Schemas</h2>
      ${schemas}`,
  );
}

function operationSection(
  method: string,
  { operationId, summary, description, parameters, requestBody, responses }: Operation,
): Html {
  const body = Object.entries(requestBody?.content ?? {});
  return html`<details id="${operationId}">
    <summary><b>${method}</b> ${summary}</summary>
    <p>${description}</p>
    ${
      parameters.length === 0
        ? html``
        : html`<h3>Parameters</h3>
            <table>
              ${parameters.map(parameterRow)}
            </table>`
    }
    ${body.map(
      ([mediaType, { schema, example }]) =>
        html`<h3>Body: <code>${mediaType}</code></h3>
          ${example === undefined ? html`` : json(example)}${json(schema)}`,
    )}
    <h3>Answers</h3>
    <table>
      ${Object.entries(responses).map(
        ([status, { description, content }]) =>
          html`<tr>
            <td>${status}</td>
            <td>${description}</td>
            <td><code>${Object.keys(content ?? {}).join(", ")}</code></td>
          </tr>`,
      )}
    </table>
  </details>`;
}

function parameterRow({ name, in: place, required, description, schema }: Parameter): Html {
  return html`<tr>
    <td><code>${name}</code></td>
    <td>${place}${required ? ", required" : ""}</td>
    <td>${description ?? schema.description ?? ""}</td>
  </tr>`;
}

function json(value: unknown): Html {
  return html`<pre>${JSON.stringify(value, null, 2)}</pre>`;
}
