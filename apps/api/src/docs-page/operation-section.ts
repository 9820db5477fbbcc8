import { findRequiredAuthority, type AccessRule } from "../endpoint/access-rule.ts";
import { html, renderJson, type Html } from "../html.ts";

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

export interface DocumentedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
  };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, unknown>> }>
  >;
}

export function renderOperation(
  method: string,
  path: string,
  operation: DocumentedOperation,
  access: AccessRule,
): Html {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const body = Object.entries(requestBody?.content ?? {});
  return html`<details id="${operationId}">
    <summary>
      <b class="method ${method}">${method}</b> <code>${path}</code> <span class="says">${summary}</span>
    </summary>
    <p>${description}</p>
    <p>Needs ${describeAccess(access)}.</p>
    ${parameters.length === 0 ? html`` : renderTable("Parameters", parameters.map(renderParameterRow))}
    ${body.map(
      ([mediaType, { schema, example }]) =>
        html`<h4>Body: <code>${mediaType}</code></h4>
          ${example === undefined ? html`` : renderJson(example)}${renderBodySchema(schema)}`,
    )}
    ${renderTable(
      "Responses",
      Object.entries(responses).map(
        ([status, { description: meaning, content }]) =>
          html`<tr>
            <th scope="row">${status}</th>
            <td>${meaning}</td>
            <td><code>${Object.keys(content ?? {}).join(", ")}</code></td>
          </tr>`,
      ),
    )}
  </details>`;
}

function describeAccess(access: AccessRule): Html {
  const authority = findRequiredAuthority(access);
  if (authority !== undefined) return html`the authority <code>${authority}</code>`;
  if (access.kind === "report-type") return html`the authority of the report type`;
  if (access.kind === "password") return html`a name and a password; a token is not accepted`;
  return access.kind === "public" ? html`no credentials` : html`credentials`;
}

function renderTable(title: string, rows: readonly Html[]): Html {
  return html`<h4>${title}</h4>
    <table>
      <tbody>
        ${rows}
      </tbody>
    </table>`;
}

function renderBodySchema(schema: Schema): Html {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? renderJson(schema) : html`<p>Schema: <a href="#${name}">${name}</a></p>`;
}

function renderParameterRow({ name, in: place, required, description, schema }: Parameter): Html {
  return html`<tr>
    <th scope="row"><code>${name}</code></th>
    <td>${place}${required ? ", required" : ""}</td>
    <td>${description ?? schema.description ?? ""}</td>
  </tr>`;
}
