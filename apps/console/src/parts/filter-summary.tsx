import type { ReportType } from "@reports/client";
import { Fragment } from "preact";
import { directionOf } from "./direction.ts";
import { filterTexts } from "./filter-texts.ts";

/** Lists filters with their values, one per line. Codes are shown by their titles if the report type is known. */
export function FilterSummary(props: {
  readonly searchParam: Readonly<Record<string, unknown>>;
  readonly type: ReportType | undefined;
}) {
  const filters = filterTexts(props.searchParam, props.type);
  if (filters.length === 0) return <>None: all rows are included.</>;
  return (
    <ul>
      {filters.map(({ name, label, values }) => (
        <li key={name}>
          {label}:{" "}
          {values.map((text, at) => (
            <Fragment key={at}>
              {at > 0 && " or "}
              <bdi dir={directionOf(text)}>{text}</bdi>
            </Fragment>
          ))}
        </li>
      ))}
    </ul>
  );
}
