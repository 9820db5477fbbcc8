import type { Domain, Proxy } from "@reports/client";
import { State, type Tone } from "../parts/state.tsx";
import { wordOf } from "../parts/text.ts";
import { relativeText } from "../parts/time.tsx";

const health: Readonly<Record<string, Tone>> = { UP: "good", DEGRADED: "warn", DOWN: "bad" };
const admin: Readonly<Record<string, Tone>> = { ENABLED: "good", DRAINING: "warn", MAINTENANCE: "warn" };
const status: Readonly<Record<string, Tone>> = { ACTIVE: "good", PENDING: "live", FAILED: "bad", SUSPENDED: "warn" };

/** What probes saw last. */
export function Health({ proxy }: { readonly proxy: Proxy }) {
  return <State tone={health[proxy.health] ?? "muted"}>{wordOf(proxy.health)}</State>;
}

/** What its team has set it to. */
export function AdminState({ proxy }: { readonly proxy: Proxy }) {
  return <State tone={admin[proxy.adminState] ?? "muted"}>{wordOf(proxy.adminState)}</State>;
}

/** Whether a domain is served. */
export function DomainStatus({ domain }: { readonly domain: Domain }) {
  return <State tone={status[domain.status] ?? "muted"}>{wordOf(domain.status)}</State>;
}

/** Until when a certificate holds. */
export function Certificate({ domain, tone }: { readonly domain: Domain; readonly tone?: Tone }) {
  const at = domain.certNotAfter;
  if (at === null) return <span class="muted">None</span>;
  const now = Date.now();
  const isOver = Date.parse(at) <= now;
  return (
    <span title={at}>
      <State tone={tone ?? (isOver ? "bad" : "good")}>
        {isOver ? "Expired" : "Expires"} {relativeText(at, now)}
      </State>
    </span>
  );
}
