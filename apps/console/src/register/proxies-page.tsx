import type { Proxy } from "@reports/client";
import { Cut } from "../parts/cut.tsx";
import { Shown } from "../parts/notices.tsx";
import { Rows, type Column } from "../parts/rows.tsx";
import { countText } from "../parts/text.ts";
import { Time } from "../parts/time.tsx";
import { hrefOf, place } from "../shell/place.ts";
import { session } from "../shell/session.ts";
import { BelowList } from "./below-list.tsx";
import { NoRecords } from "./no-records.tsx";
import { RegisterFilters } from "./register-filters.tsx";
import { RegisterHead } from "./register-head.tsx";
import { filtersIn, sizeOf, typeOf, useRegister } from "./register-list.ts";
import { AdminState, Health } from "./states.tsx";
import { wordOfValue } from "./word-of-value.ts";

const columns: readonly Column<Proxy>[] = [
  {
    title: "Name",
    by: "name",
    class: "main",
    cell: ({ id, name }) => (
      <a href={hrefOf(`proxies/${id}`)} data-row>
        <Cut text={name} />
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
        {wordOfValue("PROXY", "software", software)} <bdi class="muted">{softwareVersion}</bdi>
      </>
    ),
  },
  {
    title: "Environment",
    by: "environment",
    class: "short",
    cell: ({ environment }) => wordOfValue("PROXY", "environment", environment),
  },
  { title: "Region", by: "region", cell: ({ region }) => region !== null && <Cut text={region} /> },
  {
    title: "p95 latency",
    by: "latencyMsP95",
    class: "number",
    cell: ({ latencyMsP95 }) => latencyMsP95 !== null && `${countText(latencyMsP95)} ms`,
  },
  {
    title: "Last checked",
    by: "lastCheckedAt",
    class: "muted",
    cell: ({ lastCheckedAt }) => lastCheckedAt !== null && <Time at={lastCheckedAt} />,
  },
];

export function ProxiesPage() {
  const { query } = place.value;
  const type = typeOf("PROXY");
  const filters = filtersIn(query, type);
  const size = sizeOf(query);
  const sort = query.get("sort");
  const proxies = useRegister<Proxy>(
    "proxies",
    { ...filters, sort: sort === null ? undefined : [sort], limit: size, count: "exact" },
    (asked, signal) => session.value!.gateway.proxies.list(asked, { signal }),
  );
  return (
    <>
      <RegisterHead title="Proxies" reportType="PROXY" filters={filters} />
      <RegisterFilters type={type} query={query} wrong={proxies.wrong} />
      <Shown remote={proxies}>
        {(page) =>
          page.items.length === 0 ? (
            <NoRecords
              title="No proxy matches"
              isFiltered={Object.keys(filters).length > 0}
              none="The inventory is empty."
            />
          ) : (
            <>
              <Rows items={page.items} columns={columns} />
              <BelowList page={page} size={size} words={["proxy", "proxies"]} />
            </>
          )
        }
      </Shown>
    </>
  );
}
