import type { ComponentChildren } from "preact";
import { REPORTS_ADMIN } from "../shell/authorities.ts";
import { hasAuthority } from "../shell/session.ts";
import { SortHead } from "./sort-head.tsx";
import { PrincipalName } from "./format-principal-name.tsx";

export interface Column<Item> {
  readonly title: string;
  /**
   * CSS class of the cells. `number` also applies to the heading. `acts` marks a column of buttons, whose heading is visible only to screen readers.
   */
  readonly class?: string;
  readonly by?: string;
  readonly cell: (item: Item) => ComponentChildren;
  /** Returns the unit of a number. Only narrow screens show it, because records are cards without headings there. */
  readonly unit?: (item: Item) => string;
}

export function Rows<Item extends { readonly id: string }>(props: {
  readonly items: readonly Item[];
  readonly columns: readonly (Column<Item> | false)[];
}) {
  const columns = props.columns.filter((column) => column !== false);
  return (
    <table class="rows">
      <thead>
        <tr>{columns.map(renderColumnHead)}</tr>
      </thead>
      <tbody>
        {props.items.map((item) => (
          <tr key={item.id}>
            {columns.map(({ title, cell, unit, ...column }) => (
              <td key={title} class={column.class} data-name={unit?.(item)}>
                {cell(item)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function createOwnerColumn(): Column<{ readonly owner: string }> | false {
  return (
    hasAuthority(REPORTS_ADMIN) && { title: "Owner", class: "aside", cell: ({ owner }) => <PrincipalName id={owner} /> }
  );
}

function renderColumnHead({ title, by, class: given }: Omit<Column<never>, "cell" | "unit">) {
  const name = given?.startsWith("number") === true ? "number" : undefined;
  return by === undefined ? (
    <th key={title} scope="col" class={name}>
      {given === "acts" ? <span class="unseen">{title}</span> : title}
    </th>
  ) : (
    <SortHead key={title} by={by} class={name}>
      {title}
    </SortHead>
  );
}
