import { existsSync, readFileSync, statSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { readStartScriptFlags } from "@reports/testing";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

const root = join(import.meta.dirname, "../..");
const deploy = join(root, "deploy");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

interface ImageBuild {
  readonly context: string;
  readonly dockerfile: string;
  readonly args?: Readonly<Record<string, string>>;
}

interface Service {
  readonly image?: string;
  readonly build?: string | ImageBuild;
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly healthcheck?: { readonly test?: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly stop_grace_period?: string;
}

const text = read("deploy/compose.yaml");
const { services } = parse(text, { merge: true }) as { readonly services: Readonly<Record<string, Service>> };
const serviceOf = (name: string): Service => services[name]!;

describe("the compose file", () => {
  test("compose.yaml requires exactly the secrets of example.env", () => {
    const asked = [...text.matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name!);
    const named = [...read("deploy/example.env").matchAll(/^(\w+)=(.*)$/gm)].map(
      ([, name, value]) => [name!, value!] as const,
    );
    expect(named.map(([name]) => name).toSorted()).toEqual([...new Set(asked)].toSorted());
    expect(named.filter(([, value]) => value !== "")).toEqual([]);
  });

  test("compose.yaml publishes ports only on the loopback interface", () => {
    const published = Object.values(services).flatMap(({ ports = [] }) => ports);
    expect(published).not.toEqual([]);
    for (const port of published) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
  });

  test("in compose.yaml, migrate, the API and the worker have the same QUEUE_SCHEMA", () => {
    const given = ["commands", "api", "worker"].map((name) => serviceOf(name).environment["QUEUE_SCHEMA"]);
    expect(given).toEqual(["${QUEUE_SCHEMA:-}", "${QUEUE_SCHEMA:-}", "${QUEUE_SCHEMA:-}"]);
  });

  test.each(["api", "worker"])("in compose.yaml, the %s has its own users of Postgres and MinIO", (app) => {
    const { environment } = serviceOf(app);
    const own = app.toUpperCase();
    expect(environment).toMatchObject({
      DATABASE_URL: `postgres://gateway_${app}:\${${own}_PASSWORD:?}@postgres:5432/reports`,
      MINIO_ACCESS_KEY: `gateway-${app}`,
      MINIO_SECRET_KEY: `\${${own}_SECRET_KEY:?}`,
    });
    const secrets = Object.values(environment).flatMap((value) => value.match(/(?<=\$\{)\w+(?=:\?)/g) ?? []);
    const allowed = [`${own}_PASSWORD`, `${own}_SECRET_KEY`, "AUTH_JWT_SECRET"];
    expect(secrets.filter((name) => !allowed.includes(name))).toEqual([]);
    expect(read("deploy/postgres/create-users.sh")).toContain(`CREATE ROLE gateway_${app} LOGIN`);
  });

  test("in compose.yaml, only Postgres may write to its root file system or gain rights", () => {
    for (const [name, service] of Object.entries(services)) {
      if (name === "postgres") continue;
      expect({ name, ...service }).toMatchObject({
        read_only: true,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
      });
    }
  });

  test("compose.yaml awaits only services with a health check, and commands that end", () => {
    const waits = Object.values(services).flatMap(({ depends_on }) => Object.entries(depends_on ?? {}));
    expect(waits.length).toBeGreaterThan(5);
    const cannotBeWaitedFor = waits.filter(([name, { condition }]) => {
      const { healthcheck, command } = serviceOf(name);
      return condition === "service_healthy" ? healthcheck?.test === undefined : command?.[0] !== "sh";
    });
    expect(cannotBeWaitedFor).toEqual([]);
    for (const app of ["api", "worker"])
      expect(Object.keys(serviceOf(app).depends_on ?? {}).toSorted()).toEqual(["commands", "minio-users"]);
  });

  test("compose.yaml builds and mounts only files that exist in the repository", () => {
    const files = Object.values(services).flatMap(({ build, volumes = [] }) => {
      const mounted = volumes.filter((each) => each.startsWith("./")).map((each) => join(deploy, each.split(":")[0]!));
      if (build === undefined) return mounted;
      return [...mounted, typeof build === "string" ? join(deploy, build, "Dockerfile") : join(root, build.dockerfile)];
    });
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });

  test("compose.yaml passes REVISION to the build of every image", () => {
    const builds = Object.values(services).flatMap(({ build }) => (typeof build === "object" ? [build] : []));
    expect(builds.map(({ dockerfile, args }) => [dockerfile, args])).toEqual(
      ["api", "api", "worker"].map((app) => [`deploy/${app}.Dockerfile`, { REVISION: "${REVISION:-}" }]),
    );
    for (const { dockerfile } of builds) expect(read(dockerfile)).toContain("\nARG REVISION\n");
  });

  test("compose.yaml runs commands of the API's image, and gives processes 50 s to stop", () => {
    const script = serviceOf("commands").command!.at(-1)!;
    const commands = [...script.matchAll(/^\s*(migrate|database-roles|users)\b/gm)].map(([, command]) => command!);
    expect(commands).toEqual(["migrate", "database-roles", "users"]);
    for (const command of commands) expect(existsSync(join(root, "apps/api/bin", command))).toBe(true);
    // Docker kills a process `stop_grace_period` seconds after SIGTERM. A process may take 20 s (SHUTDOWN_GRACE_SECONDS) to finish its work, and 30 s
    // to stop its other parts.
    for (const app of ["api", "worker"])
      expect(Number.parseInt(serviceOf(app).stop_grace_period!, 10)).toBeGreaterThanOrEqual(50);
  });
});

// Postgres's image runs an executable script in a new process. It would source another script in its own shell, which `set -u` of the script would
// end.
test("deploy/postgres/create-users.sh is executable for the image of Postgres", () => {
  expect(statSync(join(deploy, "postgres/create-users.sh")).mode & 0o111).toBe(0o111);
});

test("MinIO's policies let the API only read, and limit both processes to one bucket", () => {
  const policyOf = (app: string) =>
    JSON.parse(read(`deploy/minio/${app}-policy.json`)) as {
      readonly Statement: readonly { readonly Action: readonly string[]; readonly Resource: readonly string[] }[];
    };
  const actionsOf = (app: string) => policyOf(app).Statement.flatMap(({ Action }) => Action);
  expect(actionsOf("api").filter((action) => !/^s3:(Get|List)/.test(action))).toEqual([]);
  expect(actionsOf("worker")).toEqual(expect.arrayContaining(["s3:PutObject", "s3:DeleteObject"]));
  for (const app of ["api", "worker"]) {
    const resources = policyOf(app).Statement.flatMap(({ Resource }) => Resource);
    expect(resources.filter((resource) => !/^arn:aws:s3:::reports(\/\*)?$/.test(resource))).toEqual([]);
    expect(actionsOf(app).filter((action) => action.includes("*"))).toEqual([]);
  }
});

test("deploy/ compiles the versions of MinIO's server and client that CI installs", () => {
  const versionsIn = (path: string) =>
    read(path)
      .match(/github\.com\/minio\/(?:minio|mc)@v[\w.-]+/g)!
      .toSorted();
  expect(versionsIn("deploy/minio/Dockerfile")).toEqual(versionsIn(".ci/run"));
});

test("the Dockerfiles build on the Node version of this checkout", () => {
  const node = /^nodeVersion: (\d\S+)$/m.exec(read("pnpm-workspace.yaml"))![1];
  for (const app of ["api", "worker"])
    expect(read(`deploy/${app}.Dockerfile`)).toContain(`\nARG NODE_IMAGE=node:${node}-bookworm-slim\n`);
});

test("the images and the installation guide have the Node flags of the start scripts", () => {
  for (const app of ["api", "worker"] as const) {
    const command = ["node", ...readStartScriptFlags(root, app), "dist/main.js"];
    expect(read(`deploy/${app}.Dockerfile`)).toContain(`\nCMD ${JSON.stringify(command).replaceAll(",", ", ")}\n`);
    expect(read("docs/guides/running/install.md")).toContain(`${command.join(" ")}\``);
  }
});

test(".dockerignore keeps secrets and generated files out of image builds", () => {
  const patterns = read(".dockerignore").split("\n").filter(Boolean);
  const isLeftOut = (path: string) => patterns.some((pattern) => matchesGlob(path, pattern));
  for (const path of [".env", "deploy/.env", "apps/api/.env.local", "deploy/server.key", "apps/api/node_modules"])
    expect({ path, isLeftOut: isLeftOut(path) }).toEqual({ path, isLeftOut: true });
  // CI generates clients in a folder of .gitignore while it builds the images. If a file disappears while the build copies it, the build fails.
  const generated = read(".gitignore")
    .split("\n")
    .filter((line) => line.endsWith("/"));
  for (const path of generated.map((line) => line.slice(0, -1)))
    expect({ path, isLeftOut: isLeftOut(path) }).toEqual({ path, isLeftOut: true });
  for (const path of ["package.json", "deploy/build-app.sh", "patches/postgres@3.4.9.patch"])
    expect({ path, isLeftOut: isLeftOut(path) }).toEqual({ path, isLeftOut: false });
});
