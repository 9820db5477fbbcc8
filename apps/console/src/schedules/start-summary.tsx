import type { ReportStart, ReportType } from "@reports/client";
import { filterName } from "../parts/text.ts";
import { filterText } from "./filter-text.ts";

/** What is started each time, in a few lines. */
export function StartSummary({ start, type }: { readonly start: ReportStart; readonly type: ReportType }) {
  const filters = Object.entries(typeof start.searchParam === "object" ? (start.searchParam ?? {}) : {});
  return (
    <div>
      <p>
        <b dir="auto">{start.title ?? type.title}</b>, {start.format}
      </p>
      <ul class="muted small">
        {filters.length === 0 && <li>No filters: everything is included.</li>}
        {filters.map(([name, value]) => (
          <li key={name}>
            {filterName(name)}: <bdi>{filterText(value)}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}
