import type { ReportType } from "@reports/client";
import { Fragment } from "preact";
import { toDirAttribute } from "./direction.ts";
import { describeFilters, type SearchParam } from "./filter-description.ts";

export const noFiltersText = "No filters: all rows are included.";

export function FilterSummary(props: {
  readonly searchParam: SearchParam;
  readonly type: ReportType | undefined;
  readonly timezone?: string | null | undefined;
}) {
  const filters = describeFilters(props.searchParam, props.type, props.timezone);
  if (filters.length === 0) return <>{noFiltersText}</>;
  return (
    <ul>
      {filters.map(({ label, texts }) => (
        <li key={label}>
          {label}:{" "}
          {texts.map((text, at) => (
            <Fragment key={at}>
              {at > 0 && " or "}
              <bdi dir={toDirAttribute(text)}>{text}</bdi>
            </Fragment>
          ))}
        </li>
      ))}
    </ul>
  );
}
