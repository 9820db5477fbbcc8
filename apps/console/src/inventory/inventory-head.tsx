import type { ComponentChildren } from "preact";
import { PageHead } from "../parts/page-head.tsx";
import { buildHref, route } from "../shell/route.ts";
import { findStartableType } from "../shell/session.ts";
import { buildStartDraftQuery } from "../start/draft.ts";
import type { ListParameters } from "./inventory-list.ts";

const inventoryLists = [
  ["proxies", "Proxies"],
  ["domains", "Domains"],
  ["certificates", "Certificates"],
] as const;

export function InventoryHead(props: {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly reportType?: string;
  readonly filters?: ListParameters;
}) {
  const { title, lead, reportType, filters = {} } = props;
  const type = findStartableType(reportType ?? null);
  const current = route.value.path[0];
  const sort = route.value.query.get("sort") ?? "";
  const isColumn = type?.columns.some(({ key }) => key === sort.replace(/^-/, "")) === true;
  return (
    <>
      <PageHead eyebrow="Register" title={title} lead={lead}>
        {type !== undefined && (
          <a
            class="button primary"
            href={buildHref(
              "new",
              buildStartDraftQuery({
                reportType: type.reportType,
                format: type.formats[0]!.format,
                searchParam: filters as Record<string, string>,
                ...(isColumn ? { sort: [sort] } : {}),
              }),
            )}
          >
            Report of this view
          </a>
        )}
      </PageHead>
      <nav class="tabs" aria-label="Register">
        {inventoryLists.map(([path, label]) => (
          <a key={path} href={buildHref(path)} data-word={label} aria-current={path === current ? "page" : undefined}>
            {label}
          </a>
        ))}
      </nav>
    </>
  );
}
