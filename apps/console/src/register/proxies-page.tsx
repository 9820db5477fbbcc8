import type { Proxy } from "@reports/client";
import { Cut } from "../parts/cut.tsx";
import { Shown } from "../parts/notices.tsx";
import { SortHead } from "../parts/sort-head.tsx";
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
              none="The register is empty."
            />
          ) : (
            <>
              <ProxyRows proxies={page.items} />
              <BelowList page={page} size={size} words={["proxy", "proxies"]} />
            </>
          )
        }
      </Shown>
    </>
  );
}

function ProxyRows({ proxies }: { readonly proxies: readonly Proxy[] }) {
  return (
    <table class="rows">
      <thead>
        <tr>
          <SortHead by="name">Name</SortHead>
          <SortHead by="health">Health</SortHead>
          <SortHead by="adminState">Admin state</SortHead>
          <SortHead by="software">Software</SortHead>
          <SortHead by="environment">Environment</SortHead>
          <SortHead by="region">Region</SortHead>
          <SortHead by="latencyMsP95" class="number">
            p95 latency
          </SortHead>
          <SortHead by="lastCheckedAt">Last checked</SortHead>
        </tr>
      </thead>
      <tbody>
        {proxies.map((proxy) => (
          <tr key={proxy.id}>
            <td class="main">
              <a href={hrefOf(`proxies/${proxy.id}`)} data-row>
                <Cut text={proxy.name} />
              </a>
            </td>
            <td>
              <Health proxy={proxy} />
            </td>
            <td>
              <AdminState proxy={proxy} />
            </td>
            <td class="aside">
              {wordOfValue("PROXY", "software", proxy.software)} <bdi class="muted">{proxy.softwareVersion}</bdi>
            </td>
            <td class="short">{wordOfValue("PROXY", "environment", proxy.environment)}</td>
            <td>{proxy.region !== null && <Cut text={proxy.region} />}</td>
            <td class="number">{proxy.latencyMsP95 === null ? "" : `${countText(proxy.latencyMsP95)} ms`}</td>
            <td class="muted">{proxy.lastCheckedAt === null ? "" : <Time at={proxy.lastCheckedAt} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
