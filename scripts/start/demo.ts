import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { REGISTRY_READ, REGISTRY_WRITE, REPORTS_ADMIN, WEBHOOKS_WRITE, hashPassword } from "@reports/auth";
import { copyIntoInventory, createDatabase, createUserStore } from "@reports/db";
import { generateDemoInventory } from "@reports/testing";

export interface DemoUser {
  readonly name: string;
  readonly role: string;
  readonly authorities: readonly string[];
  /** Whether the user has the authorities for all registered report types. */
  readonly everyReport: boolean;
}

export const demoUsers: readonly DemoUser[] = [
  { name: "guest", role: "signs in, may do nothing else", authorities: [], everyReport: false },
  { name: "proxies", role: "reports of type PROXY only", authorities: ["REPORT_PROXY"], everyReport: false },
  { name: "reader", role: "reads the inventory, all reports", authorities: [REGISTRY_READ], everyReport: true },
  {
    name: "operator",
    role: "also changes the inventory",
    authorities: [REGISTRY_READ, REGISTRY_WRITE],
    everyReport: true,
  },
  {
    name: "admin",
    role: "also cancels and removes others' reports, has webhooks",
    authorities: [REGISTRY_READ, REGISTRY_WRITE, REPORTS_ADMIN, WEBHOOKS_WRITE],
    everyReport: true,
  },
];

export async function createDemoUsers(
  databaseUrl: string,
  passwords: Readonly<Record<string, string>>,
  reportAuthorities: readonly string[],
): Promise<void> {
  const database = createDatabase({ url: databaseUrl, max: 1, applicationName: "reports-start" });
  const users = createUserStore(database);
  try {
    for (const { name, authorities: own, everyReport } of demoUsers) {
      const authorities = everyReport ? [...new Set([...own, ...reportAuthorities])] : own;
      const passwordHash = await hashPassword(passwords[name] ?? "");
      if ((await users.find(name)) === null) await users.create({ name, passwordHash, authorities });
      else {
        await users.setPasswordHash(name, passwordHash);
        await users.setAuthorities(name, authorities);
      }
    }
  } finally {
    await database.close();
  }
}

/**
 * Loads the demo inventory only at the first start, so that records which the user has deleted stay deleted. Resolves with the loaded counts, or
 * with null at later starts.
 */
export async function loadDemoInventory(
  databaseUrl: string,
  dataDir: string,
): Promise<{ proxies: number; domains: number } | null> {
  const marker = join(dataDir, "demo-data-loaded");
  if (existsSync(marker)) return null;
  const { proxies, domains, counts } = generateDemoInventory({ proxies: 60, domains: 2500 });
  await copyIntoInventory({ databaseUrl, proxies, domains });
  writeFileSync(marker, new Date().toISOString());
  return counts;
}
