import type { ReportType } from "@reports/client";
import { filtersOf } from "./filters.ts";
import { filterName, wordOf } from "./text.ts";

/** Filters and their values in words, one a line. The type, where it is known, has the titles of its codes. */
export function FilterWords(props: {
  readonly searchParam: Readonly<Record<string, unknown>>;
  readonly type: ReportType | undefined;
}) {
  const filters = Object.entries(props.searchParam);
  if (filters.length === 0) return <>None: everything is included.</>;
  const known = props.type === undefined ? [] : filtersOf(props.type);
  return (
    <ul>
      {filters.map(([name, value]) => {
        const { titles = {}, kind } = known.find((filter) => filter.name === name) ?? {};
        const word = (one: string): string => titles[one] ?? (kind === "choice" ? wordOf(one) : one);
        return (
          <li key={name}>
            {filterName(name)}:{" "}
            <bdi>
              {[value]
                .flat()
                .map((one) => word(String(one)))
                .join(" or ")}
            </bdi>
          </li>
        );
      })}
    </ul>
  );
}
