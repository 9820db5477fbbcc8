import { randomBytes } from "node:crypto";
import { createDatabaseRoles, databaseRoles } from "@reports/db";
import postgres from "postgres";

/** A database user with only the rights of the API's role. With it, tests find missing rights. */
interface RestrictedLogin {
  apiDatabaseUrl(ownerUrl: string): Promise<string>;
  remove(ownerUrl: string): Promise<void>;
}

/** Returns a database user with a random name. The user exists after a call of `apiDatabaseUrl`. */
export function createRestrictedTestLogin(): RestrictedLogin {
  const user = `test_${randomBytes(6).toString("hex")}`;
  const password = randomBytes(12).toString("hex");
  const asOwner = async (ownerUrl: string, statement: string) => {
    const owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
    await owner.unsafe(statement);
    await owner.end();
  };
  return {
    async apiDatabaseUrl(ownerUrl) {
      await createDatabaseRoles({ databaseUrl: ownerUrl });
      await asOwner(ownerUrl, `create role ${user} login password '${password}' in role ${databaseRoles.api}`);
      return Object.assign(new URL(ownerUrl), { username: user, password }).href;
    },
    remove: async (ownerUrl) => asOwner(ownerUrl, `drop role ${user}`),
  };
}
