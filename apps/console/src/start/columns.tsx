import type { ReportType } from "@reports/client";
import { Select } from "../parts/fields.tsx";
import { Fold } from "../parts/fold.tsx";
import { changeQuery } from "../shell/place.ts";

interface Props {
  readonly type: ReportType;
  readonly query: URLSearchParams;
  readonly wrong: ReadonlyMap<string, string>;
}

function listOf(query: URLSearchParams, name: string): readonly string[] {
  return (query.get(name) ?? "").split(",").filter((key) => key !== "");
}

/** Which columns are shown, in which order. None said is what the type shows by itself. */
export function Columns({ type, query, wrong }: Props) {
  const said = listOf(query, "columns");
  const all = type.columns.map(({ key }) => key);
  const chosen = said.length === 0 ? all : said;
  const change = (keys: readonly string[]): void => changeQuery({ columns: keys.length === 0 ? [] : [keys.join(",")] });
  const move = (key: string, step: number): void => {
    const at = chosen.indexOf(key);
    const without = chosen.filter((one) => one !== key);
    change(without.toSpliced(at + step, 0, key));
  };
  const titleOf = (key: string): string => type.columns.find((column) => column.key === key)?.title ?? key;
  return (
    <Fold
      title={said.length === 0 ? "Columns: those of the type" : `Columns: ${said.length} of ${all.length}`}
      opens={said.length > 0 || wrong.has("columns")}
    >
      {wrong.has("columns") && <p class="wrong">{wrong.get("columns")}</p>}
      <ol class="columns">
        {[...chosen, ...all.filter((key) => !chosen.includes(key))].map((key, index) => (
          <li key={key}>
            <label>
              <input
                type="checkbox"
                checked={chosen.includes(key)}
                disabled={chosen.length === 1 && chosen.includes(key)}
                onChange={({ currentTarget: { checked } }) =>
                  change(checked ? [...chosen, key] : chosen.filter((one) => one !== key))
                }
              />
              {titleOf(key)}
            </label>
            {chosen.includes(key) && (
              <span>
                <button
                  type="button"
                  class="quiet"
                  disabled={index === 0}
                  aria-label={`${titleOf(key)}: further ahead`}
                  onClick={() => move(key, -1)}
                >
                  ↑
                </button>
                <button
                  type="button"
                  class="quiet"
                  disabled={index === chosen.length - 1}
                  aria-label={`${titleOf(key)}: further behind`}
                  onClick={() => move(key, 1)}
                >
                  ↓
                </button>
              </span>
            )}
          </li>
        ))}
      </ol>
      {said.length > 0 && (
        <button type="button" class="quiet strong" onClick={() => change([])}>
          Those of the type
        </button>
      )}
    </Fold>
  );
}

const mostSorts = 5;

/** By what rows are sorted and grouped. */
export function Order({ type, query, wrong }: Props) {
  const sort = listOf(query, "sort");
  const sortable = type.columns.filter(({ sortable }) => sortable);
  const options = sortable.flatMap(({ key, title }) => [
    { value: key, label: title },
    { value: `-${key}`, label: `${title}, descending` },
  ]);
  const change = (at: number, value: string): void => {
    const next = sort.toSpliced(at, 1, ...(value === "" ? [] : [value]));
    changeQuery({ sort: next.length === 0 ? [] : [next.join(",")] });
  };
  const titleOf = (key: string): string => options.find(({ value }) => value === key)?.label ?? key;
  return (
    <div class="grid">
      {[...sort, ...(sort.length < mostSorts ? [""] : [])].map((value, index) => (
        <Select
          key={index}
          label={index === 0 ? "Sorted by" : "then by"}
          value={value}
          any={index === 0 ? `As the type: ${type.defaultSort.map(titleOf).join(", ")}` : "–"}
          options={options}
          wrong={index === 0 ? wrong.get("sort") : undefined}
          onChange={(next) => change(index, next)}
        />
      ))}
      <Select
        label="Grouped by"
        value={query.get("groupBy") ?? ""}
        any="Not grouped"
        options={type.columns
          .filter(({ groupable }) => groupable)
          .map(({ key, title }) => ({ value: key, label: title }))}
        wrong={wrong.get("groupBy")}
        onChange={(value) => changeQuery({ groupBy: value === "" ? [] : [value] })}
      />
    </div>
  );
}
