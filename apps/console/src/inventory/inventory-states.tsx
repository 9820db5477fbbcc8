import type { Domain, Proxy } from "@reports/client";
import { State, type Tone } from "../parts/state.tsx";
import { expiryText } from "../parts/time-text.ts";
import { codeTitle } from "./code-title.ts";

const healthTones: Readonly<Record<string, Tone>> = { UP: "good", DEGRADED: "warn", DOWN: "bad" };
const adminTones: Readonly<Record<string, Tone>> = { ENABLED: "good", DRAINING: "warn", MAINTENANCE: "warn" };
const statusTones: Readonly<Record<string, Tone>> = {
  ACTIVE: "good",
  PENDING: "live",
  FAILED: "bad",
  SUSPENDED: "warn",
};

export function Health({ proxy }: { readonly proxy: Proxy }) {
  return <State tone={healthTones[proxy.health] ?? "muted"}>{codeTitle("PROXY", "health", proxy.health)}</State>;
}

/** The administrative state, which the team of the proxy sets. */
export function AdminState({ proxy }: { readonly proxy: Proxy }) {
  return (
    <State tone={adminTones[proxy.adminState] ?? "muted"}>{codeTitle("PROXY", "adminState", proxy.adminState)}</State>
  );
}

export function DomainStatus({ domain }: { readonly domain: Domain }) {
  return (
    <State tone={statusTones[domain.status] ?? "muted"}>{codeTitle("PROXY_DOMAIN", "status", domain.status)}</State>
  );
}

export function Certificate({ domain, tone }: { readonly domain: Domain; readonly tone?: Tone }) {
  const at = domain.certNotAfter;
  if (at === null) return <span class="muted">No certificate</span>;
  const now = Date.now();
  const isOver = Date.parse(at) < now;
  const text = expiryText(at, now);
  // Only the gateway knows whether a valid certificate is urgent: a certificate with a lifetime of a week is not late at three days.
  const shownTone = tone ?? (isOver ? "bad" : undefined);
  return <span title={at}>{shownTone === undefined ? text : <State tone={shownTone}>{text}</State>}</span>;
}
