import type { ReportType } from "@reports/client";
import { Fragment } from "preact";
import { directionOf } from "./direction.ts";
import { deriveFilters, filterValueText } from "./filters.ts";
import { labelFromName } from "./text.ts";

/** Lists filters with their values, one per line. Codes are shown by their titles if the report type is known. */
export function FilterSummary(props: {
  readonly searchParam: Readonly<Record<string, unknown>>;
  readonly type: ReportType | undefined;
}) {
  const filters = Object.entries(props.searchParam);
  if (filters.length === 0) return <>None: all rows are included.</>;
  const known = props.type === undefined ? [] : deriveFilters(props.type);
  return (
    <ul>
      {filters.map(([name, value]) => {
        const filter = known.find((one) => one.name === name);
        return (
          <li key={name}>
            {filter?.label ?? labelFromName(name)}:{" "}
            {[value]
              .flat()
              .map((one) => filterValueText(filter, String(one)))
              .map((text, at) => (
                <Fragment key={at}>
                  {at > 0 && " or "}
                  <bdi dir={directionOf(text)}>{text}</bdi>
                </Fragment>
              ))}
          </li>
        );
      })}
    </ul>
  );
}
