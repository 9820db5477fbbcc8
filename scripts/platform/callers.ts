import { createGateway, type Gateway, type GatewayOptions } from "@reports/client";

export const callerNames = ["caller-1", "caller-2", "caller-3"] as const;
export const callerPassword = "a-password-of-20-letters";
export const callerAuthorities = ["REPORT_PROXY_DOMAIN", "REPORTS_ADMIN", "WEBHOOKS_WRITE"] as const;

export function createCallers(options: Pick<GatewayOptions, "baseUrl" | "fetch">): readonly Gateway[] {
  return callerNames.map((name) => createGateway({ ...options, credentials: { name, password: callerPassword } }));
}
