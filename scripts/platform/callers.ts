import { createGateway, type Gateway, type GatewayOptions } from "@reports/client";

export const trialCallerNames = ["caller-1", "caller-2", "caller-3"] as const;
export const trialCallerPassword = "a-password-of-20-letters";
export const trialCallerAuthorities = ["REPORT_PROXY_DOMAIN", "REPORTS_ADMIN", "WEBHOOKS_WRITE"] as const;

export function createTrialCallers(options: Pick<GatewayOptions, "baseUrl" | "fetch">): readonly Gateway[] {
  return trialCallerNames.map((name) =>
    createGateway({ ...options, credentials: { name, password: trialCallerPassword } }),
  );
}
