import type { Domain } from "@reports/client";
import { QueryContent } from "../parts/notices.tsx";
import { route } from "../shell/route.ts";
import { findReportType, session } from "../shell/session.ts";
import { ListFooter } from "./list-footer.tsx";
import { DomainRows } from "./domain-rows.tsx";
import { NoRecords } from "./no-records.tsx";
import { InventoryFilters } from "./inventory-filters.tsx";
import { InventoryHead } from "./inventory-head.tsx";
import { readListRowCount } from "../parts/row-count.ts";
import { readListFilters, useInventoryList } from "./inventory-list.ts";

export function DomainsPage() {
  const { query } = route.value;
  const filters = readListFilters(query, findReportType("PROXY_DOMAIN"));
  return (
    <>
      <InventoryHead title="Domains" reportType="PROXY_DOMAIN" filters={filters} />
      <Domains />
    </>
  );
}

export function Domains({ proxyId }: { readonly proxyId?: string }) {
  const { query } = route.value;
  const type = findReportType("PROXY_DOMAIN");
  const filters = readListFilters(query, type);
  const size = readListRowCount(query);
  const sort = query.get("sort");
  const domains = useInventoryList<Domain>(
    `domains ${proxyId ?? ""}`,
    { ...filters, sort: sort === null ? undefined : [sort], limit: size, count: "exact" },
    (parameters, options) => {
      const { gateway } = session.value!;
      return (proxyId === undefined ? gateway.domains : gateway.proxies.domains(proxyId)).list(parameters, options);
    },
  );
  return (
    <>
      <InventoryFilters
        type={type}
        query={query}
        errors={domains.errors}
        without={proxyId === undefined ? [] : crossProxyFilters}
      />
      <QueryContent result={domains}>
        {(page) =>
          page.items.length === 0 ? (
            <NoRecords
              title="No domain matches"
              isFiltered={Object.keys(filters).length > 0}
              none="There are no domains yet."
            />
          ) : (
            <>
              <DomainRows domains={page.items} />
              <ListFooter page={page} size={size} words={["domain", "domains"]} />
            </>
          )
        }
      </QueryContent>
    </>
  );
}

const crossProxyFilters = ["proxyId", "proxyName", "proxyRegion", "proxyEnvironment", "proxyOwnerTeam", "servesHost"];
