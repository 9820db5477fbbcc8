import { describeAllowedFilterValue, isSingleValueFilter, type Filter, type FilterOperator } from "@reports/core/query";
import type { ReportTypeDefinition } from "@reports/core/report";
import { html, type Html } from "../html.ts";
import { findFilterExample } from "./filter-example.ts";

export interface ReportTypeWithAuthority {
  readonly definition: ReportTypeDefinition;
  readonly authority: string;
}

const operatorSuffixes = {
  in: "",
  notIn: ", excluded",
  contains: ", contained",
  suffix: ", itself or below",
  serves: ", served",
  has: "",
  from: ", from",
  to: ", before",
  empty: ", empty or not",
  parameter: ", parameter",
} as const satisfies Readonly<Record<FilterOperator, string>>;

export function renderReportType({ definition, authority }: ReportTypeWithAuthority): Html {
  const { type, title, description, columns, formats, filters } = definition;
  return html`<section class="card" aria-labelledby="type-${type}">
    <h3 id="type-${type}"><code>${type}</code> ${title}</h3>
    <p>${description}</p>
    <dl>
      <dt>Authority</dt>
      <dd><code>${authority}</code></dd>
      <dt>Formats</dt>
      <dd>
        ${Object.entries(formats).map(
          ([format, { maxRows }]) =>
            html`<span class="item"><code>${format}</code> up to ${maxRows.toLocaleString("en")} rows</span> `,
        )}
      </dd>
      <dt>Columns</dt>
      <dd>${columns.map(({ key, kind }) => html`<span class="item"><code>${key}</code> ${kind}</span> `)}</dd>
    </dl>
    <details>
      <summary>${filters.length} filters</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Filter</th>
            <th scope="col">Kind</th>
            <th scope="col">Example</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          ${filters.map(renderFilterRow)}
        </tbody>
      </table>
    </details>
  </section>`;
}

function renderFilterRow(filter: Filter): Html {
  const example = findFilterExample(filter);
  return html`<tr>
    <th scope="row"><code>${filter.name}</code></th>
    <td>${filter.value}${operatorSuffixes[filter.operator]}</td>
    <td>${example === null ? html`` : html`<code>${example}</code>`}</td>
    <td>
      ${filter.description} ${isSingleValueFilter(filter) ? "Must be" : "Each must be"}
      ${describeAllowedFilterValue(filter)}.${describeNeed(filter)}
    </td>
  </tr>`;
}

function describeNeed({ required, default: value }: Filter): string {
  if (required === true) return " Required.";
  return value === undefined ? "" : ` Default: ${[value].flat().join(", ")}.`;
}
