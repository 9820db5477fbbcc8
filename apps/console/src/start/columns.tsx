import type { ReportType } from "@reports/client";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { formatSortTitle } from "../parts/format-sort-title.ts";
import { Collapsible } from "../parts/collapsible.tsx";
import { changeRouteQuery } from "../shell/route.ts";
import { moveColumn, orderShownAndHiddenColumns, selectShownColumns, type ColumnMove } from "./column-order.ts";
import { readDraftFormat } from "./draft.ts";

export function readListParameter(query: URLSearchParams, name: string): readonly string[] {
  return (query.get(name) ?? "").split(",").filter((key) => key !== "");
}

/** The buttons of a column. `isAtEnd` is the position at which the button has no effect and is disabled: 0 is the first, -1 the last. */
const columnMoves = [
  { to: "first", sign: "⤒", words: "to the front", isAtEnd: 0 },
  { to: "up", sign: "↑", words: "up", isAtEnd: 0 },
  { to: "down", sign: "↓", words: "down", isAtEnd: -1 },
  { to: "last", sign: "⤓", words: "to the end", isAtEnd: -1 },
] as const;
const oppositeMoves: Readonly<Record<string, string>> = { first: "last", up: "down", down: "up", last: "first" };
const movesByKey: Readonly<Record<string, ColumnMove>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  Home: "first",
  End: "last",
};

export function Columns(props: {
  readonly type: ReportType;
  readonly query: URLSearchParams;
  readonly errors: ReadonlyMap<string, string>;
}) {
  const { type, query, errors } = props;
  const format = readDraftFormat(query, type);
  const all = type.columns.map(({ key }) => key);
  const { keys, isDefault } = selectShownColumns(type, format, readListParameter(query, "columns"));
  const order = useRef<readonly string[]>([]);
  order.current = orderShownAndHiddenColumns(keys, all, order.current);
  const show = (next: readonly string[]): void =>
    changeRouteQuery({ columns: selectShownColumns(type, format, next).isDefault ? [] : [next.join(",")] });
  const toggle = (key: string): void => show(order.current.filter((one) => keys.includes(one) !== (one === key)));
  const list = useRef<HTMLOListElement>(null);
  const moved = useRef<{ readonly key: string; readonly control: string } | null>(null);
  const [news, setNews] = useState("");
  // A move takes the focus from the moved column. Focuses the control that was used, or the opposite one if the control is now disabled.
  useLayoutEffect(() => {
    const { key = "", control } = moved.current ?? {};
    moved.current = null;
    const item = [...(list.current?.children ?? [])][order.current.indexOf(key)];
    const controls = [...(item?.querySelectorAll<HTMLInputElement | HTMLButtonElement>("input, button") ?? [])];
    for (const name of [control, oppositeMoves[control ?? ""]]) {
      const found = controls.find(({ disabled, dataset }) => !disabled && dataset["move"] === name);
      if (found !== undefined) return found.focus();
    }
  });
  const move = (key: string, to: ColumnMove, control: string): void => {
    moved.current = { key, control };
    order.current = moveColumn(order.current, keys, key, to);
    const shown = order.current.filter((one) => keys.includes(one));
    setNews(`${titleOf(key)}: column ${shown.indexOf(key) + 1} of ${shown.length}`);
    show(shown);
  };
  const titleOf = (key: string): string => formatSortTitle(type, key);
  const onKeyDown = (event: KeyboardEvent, key: string): void => {
    const to = event.altKey ? movesByKey[event.key] : undefined;
    if (to === undefined || !keys.includes(key)) return;
    event.preventDefault();
    move(key, to, (event.target as HTMLElement).dataset["move"] ?? "input");
  };
  const count = keys.length === all.length ? `all ${all.length}` : `${keys.length} of ${all.length}`;
  const suffix = isDefault && keys.length < all.length ? ` (the default of ${format})` : "";
  return (
    <Collapsible title={`Columns: ${count}${suffix}`} opens={!isDefault || errors.has("columns")}>
      {errors.has("columns") && <p class="wrong">{errors.get("columns")}</p>}
      <p class="hint">Alt with ↑, ↓, Home or End also moves the column that has the focus.</p>
      <ol ref={list} class="columns">
        {order.current.map((key) => {
          const isShown = keys.includes(key);
          return (
            <li key={key} onKeyDown={(event) => onKeyDown(event, key)}>
              <label>
                <input
                  type="checkbox"
                  name="columns"
                  data-move="input"
                  checked={isShown}
                  disabled={isShown && keys.length === 1}
                  onChange={() => toggle(key)}
                />
                {titleOf(key)}
              </label>
              {isShown && (
                <span class="moves">
                  {columnMoves.map(({ to, sign, words, isAtEnd }) => (
                    <button
                      key={to}
                      type="button"
                      class="quiet"
                      data-move={to}
                      disabled={key === keys.at(isAtEnd)}
                      aria-label={`${titleOf(key)}: move ${words}`}
                      title={`Move ${words}`}
                      onClick={() => move(key, to, to)}
                    >
                      {sign}
                    </button>
                  ))}
                </span>
              )}
            </li>
          );
        })}
      </ol>
      <p class="unseen" role="status">
        {news}
      </p>
      {!isDefault && (
        <button type="button" class="quiet strong" onClick={() => changeRouteQuery({ columns: [] })}>
          Default
        </button>
      )}
    </Collapsible>
  );
}
