import type { Domain, Proxy } from "@reports/client";
import { State, type Tone } from "../parts/state.tsx";
import { formatExpiry, formatTime } from "../parts/time-text.ts";
import { findValueTitle } from "./find-value-title.ts";
import { computeCertSeverity } from "./severity.ts";

const healthTones: Readonly<Record<string, Tone>> = { UP: "good", DEGRADED: "warn", DOWN: "bad" };
const adminTones: Readonly<Record<string, Tone>> = { ENABLED: "good", DRAINING: "warn", MAINTENANCE: "warn" };
const statusTones: Readonly<Record<string, Tone>> = {
  ACTIVE: "good",
  PENDING: "live",
  FAILED: "bad",
  SUSPENDED: "warn",
};

export function Health({ proxy }: { readonly proxy: Proxy }) {
  return <State tone={healthTones[proxy.health] ?? "muted"}>{findValueTitle("PROXY", "health", proxy.health)}</State>;
}

export function AdminState({ proxy }: { readonly proxy: Proxy }) {
  return (
    <State tone={adminTones[proxy.adminState] ?? "muted"}>
      {findValueTitle("PROXY", "adminState", proxy.adminState)}
    </State>
  );
}

export function DomainStatus({ domain }: { readonly domain: Domain }) {
  return (
    <State tone={statusTones[domain.status] ?? "muted"}>
      {findValueTitle("PROXY_DOMAIN", "status", domain.status)}
    </State>
  );
}

const severityTones: Readonly<Record<string, Tone>> = { EXPIRED: "bad", CRITICAL: "bad", WARN: "warn", OK: "good" };

export function Certificate({ domain }: { readonly domain: Domain }) {
  const at = domain.certNotAfter;
  if (at === null) return <span class="muted">No certificate</span>;
  const now = Date.now();
  return (
    <span title={formatTime(at)}>
      <State tone={severityTones[computeCertSeverity(domain, now) ?? ""] ?? "muted"}>{formatExpiry(at, now)}</State>
    </span>
  );
}
