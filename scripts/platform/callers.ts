import { join } from "node:path";
import { createGateway, type Gateway, type GatewayOptions } from "@reports/client";
import { CommandExitError } from "@reports/commands";

const reportTimeoutMs = 180_000;

export const trialCallerNames = ["caller-1", "caller-2", "caller-3"] as const;
export const trialCallerPassword = "a-password-of-20-letters";
export const trialCallerAuthorities = ["REPORT_PROXY_DOMAIN", "REPORTS_ADMIN", "WEBHOOKS_WRITE"] as const;

export function createTrialCallers(options: Pick<GatewayOptions, "baseUrl" | "fetch">): readonly Gateway[] {
  return trialCallerNames.map((name) =>
    createGateway({ ...options, credentials: { name, password: trialCallerPassword } }),
  );
}

/** Makes a report as the user `caller`. Throws unless it has one row, because the installation guide loads one domain. */
export async function makeReportAsCaller(baseUrl: string, folder: string): Promise<void> {
  const gateway = createGateway({ baseUrl, credentials: { name: "caller", password: trialCallerPassword } });
  const input = { reportType: "PROXY_DOMAIN", format: "csv" } as const;
  const { rowCount } = await gateway.reports.run(input, { to: join(folder, "report.csv"), timeoutMs: reportTimeoutMs });
  if (rowCount !== 1) throw new CommandExitError(`The report has ${rowCount} rows, and the guide loads one domain.`);
}
