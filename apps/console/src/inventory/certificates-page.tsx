import type { Domain, Page as ListPage } from "@reports/client";
import { EmptyState, QueryContent } from "../parts/notices.tsx";
import { State, type Tone } from "../parts/state.tsx";
import { formatCount } from "../parts/text.ts";
import { readFirstPage } from "../shell/first-page.ts";
import { buildHref, route } from "../shell/route.ts";
import { groupErrorsByFilter } from "../parts/issues.ts";
import { useDebouncedText } from "../parts/use-debounced-text.ts";
import { useQuery } from "../shell/use-query.ts";
import { toFilterParameter } from "../start/draft.ts";
import { findValueMeaning, findValueTitle } from "./find-value-title.ts";
import { CertificateRows } from "./domain-rows.tsx";
import { InventoryFilters } from "./inventory-filters.tsx";
import { InventoryHead } from "./inventory-head.tsx";
import { findReportType } from "../shell/session.ts";
import { readListFilters, type ListParameters } from "./inventory-list.ts";

const maxRows = 50;
const pollMs = 60_000;

/** Severities of the certificates that need action, the most urgent first. docs/reference/resources/domains.md#derived-values. */
const urgencySections: readonly (readonly [severity: string, tone: Tone])[] = [
  ["EXPIRED", "bad"],
  ["CRITICAL", "bad"],
  ["WARN", "warn"],
];

export function CertificatesPage() {
  const { query } = route.value;
  const type = findReportType("PROXY_DOMAIN");
  const filters = readListFilters(query, type);
  const given = useDebouncedText(JSON.stringify(filters));
  const result = useQuery(
    `certificates ${given}`,
    async (gateway, options) => {
      const pagesBySeverity: (readonly [severity: string, page: ListPage<Domain>])[] = [];
      // Reads one list after another, because the API limits concurrent list requests per principal.
      for (const [severity] of urgencySections) {
        const parameters = {
          ...(JSON.parse(given) as ListParameters),
          severity,
          sort: ["certNotAfter"],
          limit: maxRows,
          count: "exact",
        } as const;
        pagesBySeverity.push([severity, await readFirstPage(gateway.domains.list(parameters, options))]);
      }
      return new Map(pagesBySeverity);
    },
    () => pollMs,
  );
  return (
    <>
      <InventoryHead
        title="Certificates"
        reportType="PROXY_DOMAIN"
        filters={{ ...filters, severity: urgencySections.map(([severity]) => severity) }}
      />
      <InventoryFilters type={type} query={query} errors={groupErrorsByFilter(result.failure)} without={["severity"]} />
      <QueryContent result={result}>
        {(pagesBySeverity) =>
          [...pagesBySeverity.values()].every(({ items }) => items.length === 0) ? (
            <EmptyState title="No certificate needs action">
              <p>
                None {Object.keys(filters).length > 0 && "that matches these filters "}is expired, critical or expiring
                soon.
              </p>
            </EmptyState>
          ) : (
            urgencySections.map(([severity, tone]) => (
              <UrgencySection
                key={severity}
                severity={severity}
                tone={tone}
                page={pagesBySeverity.get(severity)!}
                query={query}
              />
            ))
          )
        }
      </QueryContent>
    </>
  );
}

function UrgencySection(props: {
  readonly severity: string;
  readonly tone: Tone;
  readonly page: ListPage<Domain>;
  readonly query: URLSearchParams;
}) {
  const { severity, tone, page, query } = props;
  const meaning = findValueMeaning("PROXY_DOMAIN", "severity", severity);
  if (page.items.length === 0) return null;
  const total = page.total ?? page.totalAtLeast ?? page.items.length;
  return (
    <section class="urgency" aria-labelledby={severity}>
      <h2 id={severity}>
        <State tone={tone}>{findValueTitle("PROXY_DOMAIN", "severity", severity)}</State>{" "}
        <span class="muted">
          {page.total === null ? "at least " : ""}
          {formatCount(total)}
        </span>
      </h2>
      {meaning !== undefined && <p class="muted">{meaning}</p>}
      <CertificateRows domains={page.items} />
      {total > page.items.length && (
        <div class="below">
          <a
            href={buildHref("domains", {
              ...Object.fromEntries([...query.keys()].map((name) => [name, query.getAll(name)])),
              [toFilterParameter("severity")]: severity,
              sort: "certNotAfter",
            })}
          >
            All {formatCount(total)}
          </a>
        </div>
      )}
    </section>
  );
}
