import type { ReportStart, ReportType } from "@reports/client";
import { FilterSummary } from "../parts/filter-summary.tsx";
import { toDirAttribute } from "../parts/direction.ts";

export function StartSummary({ start, type }: { readonly start: ReportStart; readonly type: ReportType }) {
  const { searchParam } = start;
  return (
    <div class="summary">
      <p>
        <b dir={toDirAttribute(start.title ?? type.title)}>{start.title ?? type.title}</b>, {start.format}
      </p>
      <div class="muted small">
        <FilterSummary
          searchParam={typeof searchParam === "object" ? (searchParam ?? {}) : {}}
          type={type}
          timezone={start.timezone}
        />
      </div>
    </div>
  );
}
