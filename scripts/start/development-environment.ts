import { readFileSync } from "node:fs";
import { join } from "node:path";
import { NpmStartError } from "./npm-start-error.ts";

export type NpmStartEnvironment = Readonly<Record<string, string | undefined>>;

export interface DevelopmentEnvironmentValues {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly jwtSecret: string;
  readonly webhookKey: string;
  readonly port: number;
  readonly workerPort: number;
}

/** Reports whether the variable or its `_FILE` variable is set. An empty value counts as not set. */
export function isVariableSet(environment: NpmStartEnvironment, name: string): boolean {
  return Boolean(environment[name]) || Boolean(environment[`${name}_FILE`]);
}

export function readSecretVariable(environment: NpmStartEnvironment, name: string): string {
  const file = environment[`${name}_FILE`];
  if (!file) return environment[name] ?? "";
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new NpmStartError(`${name}_FILE names a file that cannot be read: ${(error as Error).message}`, 78);
  }
}

export function buildDevelopmentEnvironment(
  environment: NpmStartEnvironment,
  values: DevelopmentEnvironmentValues,
): Record<string, string> {
  const development: Record<string, string> = {
    HOST: "127.0.0.1",
    PORT: String(values.port),
    WORKER_PORT: String(values.workerPort),
    SPOOL_DIR: join(values.dataDir, "spool"),
    DATABASE_URL: values.databaseUrl,
    WEBHOOK_KEY: values.webhookKey,
    PUBLIC_URL: `http://127.0.0.1:${environment["PORT"] || values.port}`,
  };
  if (!isVariableSet(environment, "MINIO_ENDPOINT")) development.STORAGE_DIR = join(values.dataDir, "files");
  if (!isVariableSet(environment, "AUTH_JWKS_URL")) development.AUTH_JWT_SECRET = values.jwtSecret;

  const complete: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) if (value !== undefined) complete[name] = value;
  for (const [name, value] of Object.entries(development))
    if (!isVariableSet(environment, name)) complete[name] = value;
  return complete;
}

export function findProductionProblems(environment: NpmStartEnvironment): readonly string[] {
  const needed: readonly { readonly oneOf: readonly string[]; readonly why: string }[] = [
    { oneOf: ["DATABASE_URL"], why: "the embedded Postgres is for development" },
    { oneOf: ["STORAGE_DIR", "MINIO_ENDPOINT"], why: "files under .data/ are for development" },
    { oneOf: ["AUTH_JWT_SECRET", "AUTH_JWKS_URL"], why: "a generated secret is for development" },
  ];
  return needed
    .filter(({ oneOf }) => !oneOf.some((name) => isVariableSet(environment, name)))
    .map(({ oneOf, why }) => `${oneOf.join(" or ")} must be set: ${why}`);
}
