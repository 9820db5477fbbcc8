import type { Domain, Page as ListPage } from "@reports/client";
import { EmptyState, QueryView } from "../parts/notices.tsx";
import { State, type Tone } from "../parts/state.tsx";
import { countText } from "../parts/text.ts";
import { readFirstPage } from "../shell/first-page.ts";
import { buildHref } from "../shell/route.ts";
import { useQuery } from "../shell/use-query.ts";
import { filterParam } from "../start/draft.ts";
import { CertificateRows } from "./domain-rows.tsx";
import { InventoryHead } from "./inventory-head.tsx";

const maxRows = 50;
const pollMs = 60_000;

/** The sections of the page, the most urgent first. docs/reference/resources/domains.md#derived-values. */
const urgencySections: readonly (readonly [severity: string, title: string, tone: Tone])[] = [
  ["EXPIRED", "Expired", "bad"],
  ["CRITICAL", "Critical: hours or a few days left", "bad"],
  ["WARN", "Soon: due for renewal", "warn"],
];

export function CertificatesPage() {
  const result = useQuery(
    "certificates",
    async (gateway, signal) => {
      const pagesBySeverity: (readonly [severity: string, page: ListPage<Domain>])[] = [];
      // The lists are read one after another, because the gateway limits concurrent lists per principal.
      for (const [severity] of urgencySections) {
        const parameters = { severity, sort: ["certNotAfter"], limit: maxRows, count: "exact" } as const;
        pagesBySeverity.push([severity, await readFirstPage(gateway.domains.list(parameters, { signal }))]);
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
        filters={{ severity: urgencySections.map(([severity]) => severity) }}
      />
      <QueryView result={result}>
        {(pagesBySeverity) =>
          [...pagesBySeverity.values()].every(({ items }) => items.length === 0) ? (
            <EmptyState title="Every certificate is in order">
              <p>None has expired, and none is due for renewal.</p>
            </EmptyState>
          ) : (
            urgencySections.map(([severity, title, tone]) => (
              <UrgencySection
                key={severity}
                severity={severity}
                title={title}
                tone={tone}
                page={pagesBySeverity.get(severity)!}
              />
            ))
          )
        }
      </QueryView>
    </>
  );
}

function UrgencySection(props: {
  readonly severity: string;
  readonly title: string;
  readonly tone: Tone;
  readonly page: ListPage<Domain>;
}) {
  const { severity, title, tone, page } = props;
  if (page.items.length === 0) return null;
  const total = page.total ?? page.totalAtLeast ?? page.items.length;
  return (
    <section class="urgency" aria-labelledby={severity}>
      <h2 id={severity}>
        <State tone={tone}>{title}</State>{" "}
        <span class="muted">
          {page.total === null ? "at least " : ""}
          {countText(total)}
        </span>
      </h2>
      <CertificateRows domains={page.items} tone={tone} />
      {total > page.items.length && (
        <div class="below">
          <a href={buildHref("domains", { [filterParam("severity")]: severity, sort: "certNotAfter" })}>
            All {countText(total)}
          </a>
        </div>
      )}
    </section>
  );
}
