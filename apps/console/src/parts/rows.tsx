import type { ComponentChildren } from "preact";
import { REPORTS_ADMIN } from "../shell/authorities.ts";
import { hasAuthority } from "../shell/session.ts";
import { SortHead } from "./sort-head.tsx";
import { PrincipalName } from "./principal-name.tsx";

export interface Column<Item> {
  readonly title: string;
  /** Of the cells; `number` applies to the heading, too. The heading of `acts` is only for screen readers. */
  readonly class?: string;
  /** The sort field of the list. Without it the column cannot be sorted. */
  readonly by?: string;
  readonly cell: (item: Item) => ComponentChildren;
  /** What a number counts, for cards, which have no heading. */
  readonly unit?: (item: Item) => string;
}

/** A table of records, which becomes cards on narrow screens. Columns that are false are omitted. */
export function Rows<Item extends { readonly id: string }>(props: {
  readonly items: readonly Item[];
  readonly columns: readonly (Column<Item> | false)[];
}) {
  const columns = props.columns.filter((column) => column !== false);
  return (
    <table class="rows">
      <thead>
        <tr>{columns.map(headOf)}</tr>
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

/** The owners of records, for administrators. */
export function ownerColumn(): Column<{ readonly owner: string }> | false {
  return (
    hasAuthority(REPORTS_ADMIN) && { title: "Owner", class: "aside", cell: ({ owner }) => <PrincipalName id={owner} /> }
  );
}

function headOf({ title, by, class: given }: Omit<Column<never>, "cell" | "unit">) {
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
