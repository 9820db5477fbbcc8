import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EnvironmentVariable } from "@reports/runtime";
import { expect, test } from "vitest";
// @boundaries-ignore Apps have no exports, and the list of variables is in this file.
import { apiEnvironment } from "../../apps/api/src/config.ts";
// @boundaries-ignore Apps have no exports (see above).
import { workerEnvironment } from "../../apps/worker/src/config.ts";
import { buildDevelopmentEnvironment } from "./development-environment.ts";

const root = join(import.meta.dirname, "..", "..");
const variables: readonly EnvironmentVariable[] = [
  ...Object.values(apiEnvironment),
  ...Object.values(workerEnvironment),
];
const textsOf = ({ name, secret }: EnvironmentVariable): string[] =>
  secret === true ? [name, `${name}_FILE`] : [name];
const names = [...new Set(variables.flatMap(textsOf))];
/**
 * Variables that exist once per name of a list, such as REPORT_SOURCE_BILLING_URL for REPORT_SOURCES=billing. turbo's list matches them by wildcards.
 */
const namesOfEach = variables.flatMap(({ each }) =>
  each === undefined
    ? []
    : Object.values(each.variables).flatMap((variable) =>
        textsOf({ ...variable, name: `${each.prefix}BILLING_${variable.name}` }),
      ),
);
const turbo = JSON.parse(readFileSync(join(root, "turbo.json"), "utf8")) as { globalPassThroughEnv: string[] };
const development = {
  databaseUrl: "postgres://development",
  dataDir: "/development",
  jwtSecret: "development",
  webhookKey: "development",
  port: 1,
  workerPort: 2,
};

test("turbo.json passes every variable of API and worker to tasks, also with `_FILE`", () => {
  expect(turbo.globalPassThroughEnv).toEqual(expect.arrayContaining(names));
});

test("a task of `turbo dev` gets every listed variable and no other", () => {
  const folder = mkdtempSync(join(tmpdir(), "reports-turbo-"));
  try {
    const write = (file: string, content: unknown) => writeFileSync(join(folder, file), JSON.stringify(content));
    const { devEngines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { devEngines: unknown };
    const print = `node -e "console.log('ENVIRONMENT' + JSON.stringify(process.env))"`;
    write("package.json", { name: "probe", private: true, devEngines, scripts: { dev: print } });
    write("turbo.json", { globalPassThroughEnv: turbo.globalPassThroughEnv, tasks: { dev: { cache: false } } });
    writeFileSync(join(folder, "pnpm-workspace.yaml"), "packages: []\npmOnFail: ignore\n");
    writeFileSync(join(folder, "pnpm-lock.yaml"), "lockfileVersion: '9.0'\nimporters:\n  .: {}\n");
    const set = Object.fromEntries([...names, ...namesOfEach].map((name) => [name, `set-${name}`]));
    const bin = join(root, "node_modules", ".bin");
    const printed = execFileSync(join(bin, "turbo"), ["run", "dev", "--output-logs=full", "--log-prefix=none"], {
      cwd: folder,
      env: {
        ...set,
        PATH: `${bin}:${process.env.PATH}`,
        HOME: folder,
        TURBO_TELEMETRY_DISABLED: "1",
        MUST_NOT_PASS: "1",
      },
      encoding: "utf8",
    });
    const environment = JSON.parse(/ENVIRONMENT(\{.*\})/.exec(printed)?.[1] ?? "null") as Record<string, string>;
    expect(environment).toMatchObject(set);
    expect(environment).not.toHaveProperty("MUST_NOT_PASS");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.each(names)("a set %s takes precedence over the development value of `npm start`", (name) => {
  const complete = buildDevelopmentEnvironment({ [name]: "given" }, development);
  expect(complete[name]).toBe("given");
});

test.each(names.filter((name) => name.endsWith("_FILE")))(
  "if %s is set, the variable without _FILE gets no development value",
  (name) => {
    expect(buildDevelopmentEnvironment({ [name]: "given" }, development)).not.toHaveProperty(
      name.slice(0, -"_FILE".length),
    );
  },
);

test("a configured store replaces the development folder, and an issuer the secret", () => {
  expect(buildDevelopmentEnvironment({ MINIO_ENDPOINT: "http://store" }, development)).not.toHaveProperty(
    "STORAGE_DIR",
  );
  expect(buildDevelopmentEnvironment({ AUTH_JWKS_URL: "http://issuer" }, development)).not.toHaveProperty(
    "AUTH_JWT_SECRET",
  );
});

test("the development values alone are a complete configuration of API and worker", () => {
  expect(buildDevelopmentEnvironment({}, development)).toEqual({
    HOST: "127.0.0.1",
    PORT: "1",
    WORKER_PORT: "2",
    SPOOL_DIR: "/development/spool",
    STORAGE_DIR: "/development/files",
    DATABASE_URL: "postgres://development",
    AUTH_JWT_SECRET: "development",
    WEBHOOK_KEY: "development",
    PUBLIC_URL: "http://127.0.0.1:1",
  });
});
