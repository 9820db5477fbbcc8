import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface DemoScheduleOptions {
  readonly origin: string;
  readonly dataDir: string;
  readonly password: string;
  readonly type: string;
  readonly format: string;
}

export const demoScheduleOwner = "reader";
const cron = "0 6 * * *";

/** Creates the demo schedule only at the first start, so that a schedule which the user has deleted stays deleted. */
export async function makeDemoSchedule(options: DemoScheduleOptions): Promise<void> {
  const { origin, dataDir, password, type, format } = options;
  const marker = join(dataDir, "demo-schedule-made");
  if (existsSync(marker)) return;
  const schedule = { name: "Every morning", reportType: type, cron, timezone: "UTC", options: { format } };
  const response = await fetch(`${origin}/v1/report-schedules`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Authorization: `Basic ${Buffer.from(`${demoScheduleOwner}:${password}`).toString("base64")}`,
    },
    body: JSON.stringify(schedule),
  });
  if (!response.ok) throw new Error(`The demo schedule was not created: ${response.status} ${await response.text()}`);
  writeFileSync(marker, new Date().toISOString());
}
