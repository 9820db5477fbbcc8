import type { Proxy } from "@reports/client";
import { MiddleTruncate } from "../parts/middle-truncate.tsx";
import { QueryContent } from "../parts/notices.tsx";
import { Rows, type Column } from "../parts/rows.tsx";
import { formatCount } from "../parts/text.ts";
import { Time } from "../parts/time.tsx";
import { buildHref, route } from "../shell/route.ts";
import { findReportType, session } from "../shell/session.ts";
import { ListFooter } from "./list-footer.tsx";
import { NoRecords } from "./no-records.tsx";
import { InventoryFilters } from "./inventory-filters.tsx";
import { InventoryHead } from "./inventory-head.tsx";
import { readListRowCount } from "../parts/row-count.ts";
import { readListFilters, useInventoryList } from "./inventory-list.ts";
import { AdminState, Health } from "./inventory-states.tsx";
import { findValueTitle } from "./find-value-title.ts";

const proxyColumns: readonly Column<Proxy>[] = [
  {
    title: "Name",
    by: "name",
    class: "main",
    cell: ({ id, name }) => (
      <a href={buildHref(`proxies/${id}`)} data-row>
        <MiddleTruncate text={name} />
      </a>
    ),
  },
  { title: "Health", by: "health", cell: (proxy) => <Health proxy={proxy} /> },
  { title: "Admin state", by: "adminState", cell: (proxy) => <AdminState proxy={proxy} /> },
  {
    title: "Software",
    by: "software",
    class: "aside",
    cell: ({ software, softwareVersion }) => (
      <>
        {findValueTitle("PROXY", "software", software)} <bdi class="muted">{softwareVersion}</bdi>
      </>
    ),
  },
  {
    title: "Environment",
    by: "environment",
    class: "short",
    cell: ({ environment }) => findValueTitle("PROXY", "environment", environment),
  },
  { title: "Region", by: "region", cell: ({ region }) => region !== null && <MiddleTruncate text={region} /> },
  {
    title: "p95 latency",
    by: "latencyMsP95",
    class: "number",
    cell: ({ latencyMsP95 }) => latencyMsP95 !== null && `${formatCount(latencyMsP95)} ms`,
  },
  {
    title: "Last checked",
    by: "lastCheckedAt",
    class: "muted",
    cell: ({ lastCheckedAt }) => lastCheckedAt !== null && <Time at={lastCheckedAt} />,
  },
];

export function ProxiesPage() {
  const { query } = route.value;
  const type = findReportType("PROXY");
  const filters = readListFilters(query, type);
  const size = readListRowCount(query);
  const sort = query.get("sort") ?? "health";
  const proxies = useInventoryList<Proxy>(
    "proxies",
    { ...filters, sort: [sort], limit: size, count: "exact" },
    (parameters, options) => session.value!.gateway.proxies.list(parameters, options),
  );
  return (
    <>
      <InventoryHead title="Proxies" reportType="PROXY" filters={filters} />
      <InventoryFilters type={type} query={query} errors={proxies.errors} />
      <QueryContent result={proxies}>
        {(page) =>
          page.items.length === 0 ? (
            <NoRecords
              title="No proxy matches"
              isFiltered={Object.keys(filters).length > 0}
              none="The inventory is empty."
            />
          ) : (
            <>
              <Rows items={page.items} columns={proxyColumns} />
              <ListFooter page={page} size={size} words={["proxy", "proxies"]} />
            </>
          )
        }
      </QueryContent>
    </>
  );
}
