import type { ReportType } from "@reports/client";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Collapsible } from "../parts/collapsible.tsx";
import { changeQuery } from "../shell/route.ts";
import { moveColumn, orderColumns, selectShownColumns } from "./column-order.ts";
import { readFormat } from "./draft.ts";

export function readListParameter(query: URLSearchParams, name: string): readonly string[] {
  return (query.get(name) ?? "").split(",").filter((key) => key !== "");
}

export function Columns(props: {
  readonly type: ReportType;
  readonly query: URLSearchParams;
  readonly errors: ReadonlyMap<string, string>;
}) {
  const { type, query, errors } = props;
  const format = readFormat(query, type);
  const all = type.columns.map(({ key }) => key);
  const { keys, isDefault } = selectShownColumns(type, format, readListParameter(query, "columns"));
  const order = useRef<readonly string[]>([]);
  order.current = orderColumns(keys, all, order.current);
  const show = (next: readonly string[]): void =>
    changeQuery({ columns: selectShownColumns(type, format, next).isDefault ? [] : [next.join(",")] });
  const toggle = (key: string): void => show(order.current.filter((one) => keys.includes(one) !== (one === key)));
  const list = useRef<HTMLOListElement>(null);
  const moved = useRef<readonly [key: string, step: -1 | 1] | null>(null);
  // After a move, focuses an arrow of the moved column. At either end, only the arrow that moves it back is enabled.
  useLayoutEffect(() => {
    const [key, step] = moved.current ?? [];
    moved.current = null;
    const item = [...(list.current?.children ?? [])][order.current.indexOf(key ?? "")];
    const arrows = [...(item?.querySelectorAll("button") ?? [])];
    (step === 1 ? arrows.toReversed() : arrows).find(({ disabled }) => !disabled)?.focus();
  });
  const move = (key: string, step: -1 | 1): void => {
    moved.current = [key, step];
    order.current = moveColumn(order.current, keys, key, step);
    show(order.current.filter((one) => keys.includes(one)));
  };
  const titleOf = (key: string): string => type.columns.find((column) => column.key === key)?.title ?? key;
  const arrow = (key: string, step: -1 | 1, isLast: boolean) => (
    <button
      type="button"
      class="quiet"
      disabled={isLast}
      aria-label={`${titleOf(key)}: move ${step < 0 ? "up" : "down"}`}
      onClick={() => move(key, step)}
    >
      {step < 0 ? "↑" : "↓"}
    </button>
  );
  const count = keys.length === all.length ? `all ${all.length}` : `${keys.length} of ${all.length}`;
  const suffix = isDefault && keys.length < all.length ? ` (the default of ${format})` : "";
  return (
    <Collapsible title={`Columns: ${count}${suffix}`} opens={!isDefault || errors.has("columns")}>
      {errors.has("columns") && <p class="wrong">{errors.get("columns")}</p>}
      <ol ref={list} class="columns">
        {order.current.map((key) => {
          const isShown = keys.includes(key);
          return (
            <li key={key}>
              <label>
                <input
                  type="checkbox"
                  name="columns"
                  checked={isShown}
                  disabled={isShown && keys.length === 1}
                  onChange={() => toggle(key)}
                />
                {titleOf(key)}
              </label>
              {isShown && (
                <span>
                  {arrow(key, -1, key === keys[0])}
                  {arrow(key, 1, key === keys.at(-1))}
                </span>
              )}
            </li>
          );
        })}
      </ol>
      {!isDefault && (
        <button type="button" class="quiet strong" onClick={() => changeQuery({ columns: [] })}>
          Default
        </button>
      )}
    </Collapsible>
  );
}
