import { DomainError } from "@reports/core/base";
import { asc, eq, getTableColumns, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Database } from "../database/database.ts";
import { users } from "../schema/users.ts";
import { prepareStatement } from "../database/prepare-statement.ts";
import { createRowDecoder } from "../collections/row-decoder.ts";
import { violatedConstraintOf } from "../database/store-error.ts";

export type UserRecord = Readonly<typeof users.$inferSelect>;

export interface UserStore {
  find(name: string): Promise<UserRecord | null>;
  list(): Promise<readonly UserRecord[]>;
  /** Stores a new user. Rejects with DomainError("invalid") whose issue has the code `taken` or `bad_name`. */
  create(
    user: Pick<UserRecord, "name" | "passwordHash"> & { readonly authorities: readonly string[] },
  ): Promise<UserRecord>;
  setPasswordHash(name: string, passwordHash: string): Promise<boolean>;
  setAuthorities(name: string, authorities: readonly string[]): Promise<boolean>;
  setDisabled(name: string, disabled: boolean): Promise<boolean>;
}

const columns = getTableColumns(users);
const readUser = createRowDecoder(columns);
// This statement is prepared, because it runs for every request with a token that the service has issued.
const selectUser = prepareStatement(
  sql`select ${sql.join(Object.values(columns), sql`, `)} from ${users} where ${users.name} = ${sql.placeholder("name")}`,
);

export function createUserStore(database: Database): UserStore {
  const change = (name: string, changes: PgUpdateSetSource<typeof users>): Promise<boolean> =>
    database.query(async (queries) => {
      const rows = await queries.update(users).set(changes).where(eq(users.name, name)).returning({ name: users.name });
      return rows.length === 1;
    });

  return {
    find: (name) =>
      database.query(async (queries) => {
        // No text in Postgres contains NUL. The query would reject instead of finding no user.
        if (name.includes("\0")) return null;
        const [row] = await selectUser(queries, { name });
        return row === undefined ? null : (readUser(Object.values(row)) as unknown as UserRecord);
      }),
    list: () => database.query((queries) => queries.select().from(users).orderBy(asc(users.name))),
    create: async ({ name, passwordHash, authorities }) => {
      try {
        return await database.query(async (queries) => {
          const [row] = await queries
            .insert(users)
            .values({ name, passwordHash, authorities: [...authorities] })
            .returning();
          return row!;
        });
      } catch (error) {
        const constraint = violatedConstraintOf(error);
        if (constraint === "users_pkey")
          throw invalidUser("taken", `There is already a user called ${name}; choose another name.`);
        if (constraint === "users_name_check") {
          throw invalidUser("bad_name", "A user's name has 1 to 255 characters, and no colon or control character.");
        }
        throw error;
      }
    },
    setPasswordHash: (name, passwordHash) => change(name, { passwordHash }),
    setAuthorities: (name, authorities) => change(name, { authorities: [...authorities] }),
    setDisabled: (name, disabled) => change(name, { disabledAt: disabled ? sql`now()` : null }),
  };
}

function invalidUser(code: string, message: string): DomainError {
  return new DomainError("invalid", "invalid-record", message, { issues: [{ code, message }] });
}
