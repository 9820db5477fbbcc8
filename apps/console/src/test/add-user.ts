import { randomBytes } from "node:crypto";
import { hashPassword } from "@reports/auth";
import { createGateway, type Gateway } from "@reports/client";
import { createDatabase, createReportStore, createUserStore, type Database } from "@reports/db";
import { makeNewReport } from "@reports/testing";

export interface ServiceAddress {
  readonly url: string;
  readonly databaseUrl: string;
}

export interface TestUser {
  readonly name: string;
  readonly service: ServiceAddress;
  readonly gateway: Gateway;
}

export const testPassword = "a long password";
let passwordHash: Promise<string> | undefined;

export const allReportAuthorities: readonly string[] = ["REPORT_PROXY", "REPORT_PROXY_DOMAIN"];

/** Adds a user. The name is the given one with a unique suffix, so that tests on one service can run at the same time. */
export async function addUser(
  service: ServiceAddress,
  name: string,
  authorities: readonly string[],
): Promise<TestUser> {
  passwordHash ??= hashPassword(testPassword);
  const unique = `${name}-${randomBytes(4).toString("hex")}`;
  const user = { name: unique, passwordHash: await passwordHash, authorities };
  await runWithServiceDatabase(service, async (database) => createUserStore(database).create(user));
  const gateway = createGateway({ baseUrl: service.url, credentials: { name: unique, password: testPassword } });
  return { name: unique, service, gateway };
}

export async function runWithServiceDatabase<T>(
  { databaseUrl }: ServiceAddress,
  act: (database: Database) => Promise<T>,
): Promise<T> {
  const database = createDatabase({ url: databaseUrl, max: 1, applicationName: "test" });
  try {
    return await act(database);
  } finally {
    await database.close();
  }
}

/** Adds a report that no worker takes, because none knows this version of its type. Returns its ID. */
export async function addWaitingReport({ name, service }: TestUser, title: string): Promise<string> {
  return runWithServiceDatabase(service, async (database) => {
    const [made] = await database.query((queries) => queries.execute<{ id: string }>("select new_id() as id"));
    const report = makeNewReport({ ...made, title, requestedBy: `basic:${name}`, definitionVersion: 1_000 });
    await createReportStore(database).createQueued(report, { perMinute: 0, unfinished: 0 });
    return report.id;
  });
}
