import type { AccessRule } from "../endpoint/access-rule.ts";
import { html, renderJson, renderPage, type Html } from "../html.ts";
import { renderCredentialsSection, renderFirstReportSection } from "./first-steps.ts";
import { renderOperation, type DocumentedOperation } from "./operation-section.ts";
import { renderReportType, type ReportTypeWithAuthority } from "./report-type-section.ts";

interface Document {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

export interface DocsPageOptions {
  readonly document: Readonly<Record<string, unknown>>;
  readonly accesses: ReadonlyMap<string, AccessRule>;
  readonly reportTypes: readonly ReportTypeWithAuthority[];
  readonly problems: Readonly<Record<string, { readonly status: number; readonly meaning: string }>>;
  readonly basePath: string;
}

export function renderDocsPage({ document, accesses, reportTypes, problems, basePath }: DocsPageOptions): string {
  const { info, tags, paths, components } = document as unknown as Document;
  const [first] = reportTypes;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const groups = tags.map(
    ({ name, description }) =>
      html`<section aria-labelledby="${groupElementId(name)}">
        <h3 id="${groupElementId(name)}">${name}</h3>
        <p>${description}</p>
        ${operations
          .filter(({ operation }) => operation.tags.includes(name))
          .map(({ method, path, operation }) =>
            renderOperation(method, path, operation, accesses.get(operation.operationId) ?? { kind: "authenticated" }),
          )}
      </section>`,
  );
  const lead = html`<header>
      <h1>${info.title}</h1>
      <p>
        This service makes reports in the background and stores their files for download. One call starts a report.
        Callers who may see the report can follow it and download its file. The service also manages the records that
        reports are made from.
      </p>
    </header>
    <nav aria-label="On this page">
      <a href="#credentials">Credentials</a>
      ${first === undefined ? html`` : html`<a href="#first-report">The first report</a>`}
      <a href="#report-types">Report types</a>
      <a href="#endpoints">Endpoints</a>
      <a href="#problems">Problems</a>
      <a href="#schemas">Schemas</a>
      <a href="${basePath}/openapi.json">openapi.json</a>
    </nav>`;
  return renderPage(
    info.title,
    html`${renderCredentialsSection(basePath, "/v1/tokens" in paths)}
      ${first === undefined ? html`` : renderFirstReportSection(first)}
      <section aria-labelledby="report-types">
        <h2 id="report-types">Report types</h2>
        ${reportTypes.map(renderReportType)}
      </section>
      <section aria-labelledby="endpoints">
        <h2 id="endpoints">Endpoints</h2>
        <p>
          Every path that has GET supports HEAD, and every path supports OPTIONS. Responses may gain fields. Bodies with
          unknown fields are refused.
        </p>
        ${groups}
      </section>
      <section aria-labelledby="problems">
        <h2 id="problems">Problems</h2>
        <p>
          Every error is <code>application/problem+json</code> (RFC 9457) with a <code>code</code> that stays the same.
        </p>
        <table>
          <tbody>
            ${Object.entries(problems).map(([code, problem]) => renderProblemRow(code, problem, basePath))}
          </tbody>
        </table>
      </section>
      <section aria-labelledby="schemas">
        <h2 id="schemas">Schemas</h2>
        ${Object.entries(components.schemas).map(
          ([name, schema]) =>
            html`<details id="${name}" class="schema">
              <summary><code>${name}</code></summary>
              ${renderJson(schema)}
            </details>`,
        )}
      </section>`,
    lead,
  );
}

function renderProblemRow(
  code: string,
  problem: { readonly status: number; readonly meaning: string },
  basePath: string,
): Html {
  return html`<tr>
    <th scope="row"><a href="${basePath}/problems/${code}">${code}</a></th>
    <td>${problem.status}</td>
    <td>${problem.meaning}</td>
  </tr>`;
}

function groupElementId(name: string): string {
  return `group-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;
}
