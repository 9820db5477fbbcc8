import { randomUUID } from "node:crypto";
import { hashPassword } from "@reports/auth";
import { createDatabase, createUserStore } from "@reports/db";
import type { CliService } from "./cli-service.ts";

export async function createTestUser({ databaseUrl }: CliService, name: string, authorities: readonly string[]) {
  const credentials = { REPORTS_USER: `${name}-${randomUUID()}`, REPORTS_PASSWORD: `${name}'s password` };
  const passwordHash = await hashPassword(credentials.REPORTS_PASSWORD);
  const database = createDatabase({ url: databaseUrl, max: 1, applicationName: "test" });
  try {
    await createUserStore(database).create({ name: credentials.REPORTS_USER, passwordHash, authorities });
  } finally {
    await database.close();
  }
  return credentials;
}
