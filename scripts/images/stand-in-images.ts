import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { CommandExitError } from "@reports/commands";
import { checkoutFolder } from "@reports/testing";
import { runProgram } from "../machine/run-program.ts";
import type { DockerEngine } from "./docker-engine.ts";

/** The version of npm for the base image. Any version that runs on the image's Node is suitable. */
const npm = "npm@11.21.2";
const authorities = "/usr/local/share/registry-ca.crt";
/**
 * Without cgo and without paths of the machine, compiled packages are the same everywhere. .ci/run compiles with these settings into
 * `compilerCache`.
 */
const compilerSettings = { CGO_ENABLED: "0", GOFLAGS: "-trimpath" };
/** All checkouts share this cache, because compiling takes minutes. It contains only public packages, so an image may have a copy of it. */
const compilerCache = join(homedir(), ".cache/report-gateway/go-build");

const postgresEntrypoint = `set -eu
as_postgres() { setpriv --reuid=postgres --regid=postgres --init-groups "$@"; }
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  install -d -o postgres -m 700 "$PGDATA"
  printf '%s' "$POSTGRES_PASSWORD" > /run/password
  chown postgres /run/password
  as_postgres initdb --pwfile=/run/password --auth-local=trust --auth-host=scram-sha-256
  rm /run/password
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  as_postgres pg_ctl --wait --options='-c listen_addresses=' start
  for script in /docker-entrypoint-initdb.d/*; do as_postgres sh "$script"; done
  as_postgres pg_ctl --wait --mode=fast stop
fi
exec setpriv --reuid=postgres --regid=postgres --init-groups postgres -c 'listen_addresses=*'
`;

/**
 * Makes images under the names of the official ones, for machines that cannot pull images: Debian's minimal system, and on it the Node of this
 * checkout, the Go of this machine and Debian's PostgreSQL 15. They hold this machine's access to the registries of npm and Go, because builds
 * download packages. They are never published. `base` is the name of the image of Node.
 */
export async function makeStandInImages(engine: DockerEngine, folder: string) {
  const names = await readNames();
  await makeNodeStandIn(engine, folder);
  await Promise.all([makeGoImage(engine, folder, names), makePostgresImage(engine, join(folder, "postgres"), names)]);
  return names;
}

/** Makes only the images of Debian and Node. */
export async function makeNodeStandIn(engine: DockerEngine, folder: string): Promise<void> {
  const names = await readNames();
  await importDebian(engine, folder, names.debian);
  await makeNodeImage(engine, join(folder, "node"), names);
}

type Names = Awaited<ReturnType<typeof readNames>>;

async function readNames() {
  const read = async (path: string): Promise<string> => readFile(join(checkoutFolder, "deploy", path), "utf8");
  const minio = await read("minio/Dockerfile");
  const names = [
    /^ARG NODE_IMAGE=(node:\S+)$/m.exec(await read("api.Dockerfile"))?.[1],
    /^FROM (debian:\S+)$/m.exec(minio)?.[1],
    /^ARG GO_IMAGE=(golang:\S+)$/m.exec(minio)?.[1],
    /^ +image: (postgres:\S+)$/m.exec(await read("compose.yaml"))?.[1],
  ] as const;
  if (!(await read("worker.Dockerfile")).includes(`ARG NODE_IMAGE=${names[0]}\n`))
    throw new CommandExitError("The Dockerfiles of API and worker do not name one base image.");
  const [base, debian, go, postgres] = names;
  if (base === undefined || debian === undefined || go === undefined || postgres === undefined)
    throw new CommandExitError(`A name of an official image was not found: ${names.join(", ")}.`);
  return { base, debian, go, postgres };
}

async function importDebian(engine: DockerEngine, folder: string, name: string): Promise<void> {
  const release = /^debian:(\w+)-slim$/.exec(name)?.[1];
  if (release === undefined) throw new CommandExitError(`${name} names no release of Debian.`);
  const root = join(folder, "debian");
  await runProgram({ folder }, "debootstrap", ["--variant=minbase", release, root, await mirrorOf(release, folder)]);
  for (const surplus of ["var/cache/apt", "var/lib/apt/lists", "usr/share/doc", "usr/share/locale"])
    await rm(join(root, surplus), { recursive: true, force: true });
  const trusted = process.env["NODE_EXTRA_CA_CERTS"];
  if (trusted !== undefined) await cp(trusted, join(root, authorities), { dereference: true });
  const importFolder = `tar -C "$1" -c . | docker import - "$2"`;
  await runProgram({ folder, environment: engine.environment }, "sh", ["-euc", importFolder, "sh", root, name]);
}

async function mirrorOf(release: string, folder: string): Promise<string> {
  const format = "$(RELEASE) $(COMPONENT) $(REPO_URI)";
  const listed = await runProgram({ folder }, "apt-get", ["indextargets", "--format", format]);
  const line = listed.split("\n").find((each) => each.startsWith(`${release} main `));
  const mirror = line?.split(" ")[2];
  if (mirror === undefined) throw new CommandExitError(`apt has no source of Debian ${release}; add one.`);
  // Debian's images for clouds name a file of mirrors.
  const [, list] = /^mirror\+file:(.+?)\/?$/.exec(mirror) ?? [];
  return list === undefined ? mirror : (await readFile(list, "utf8")).trim().split(/\s/)[0]!;
}

interface Target {
  readonly name: string;
  readonly context: string;
  /** Path of the Dockerfile. Default: `context` with the suffix `.Dockerfile`. */
  readonly file?: string;
}

async function build(engine: DockerEngine, target: Target, lines: readonly string[]): Promise<void> {
  const { name, context, file = `${context}.Dockerfile` } = target;
  await writeFile(file, `${lines.join("\n")}\n`);
  await engine.run("build", "--quiet", "--file", file, "--tag", name, context);
}

async function makeNodeImage(engine: DockerEngine, context: string, { base, debian }: Names): Promise<void> {
  const { node } = process.versions;
  if (!base.startsWith(`node:${node}-`))
    throw new CommandExitError(`The Dockerfiles build on ${base}, and this checkout runs on Node ${node}.`);
  await mkdir(join(context, "npm"), { recursive: true });
  await cp(process.execPath, join(context, "node"), { dereference: true });
  const target = ["--prefix", join(context, "npm"), "--cache", join(context, "cache")];
  await runProgram({ folder: context }, "npm", ["install", "--global", ...target, npm]);
  await writeFile(join(context, "npmrc"), `registry=${await readSetting("npm", ["config", "get", "registry"])}\n`);
  await build(engine, { name: base, context }, [
    `FROM ${debian}`,
    "COPY node /usr/local/bin/node",
    "COPY npm /usr/local",
    "COPY npmrc /root/.npmrc",
    "RUN useradd --uid 1000 --create-home node",
    ...(process.env["NODE_EXTRA_CA_CERTS"] === undefined ? [] : [`ENV NODE_EXTRA_CA_CERTS=${authorities}`]),
  ]);
}

/**
 * Makes the stand-in of the Go image, with the compiler cache of this machine. The build of MinIO's image then compiles only packages that are not
 * in that cache.
 */
async function makeGoImage(engine: DockerEngine, folder: string, { go, debian }: Names): Promise<void> {
  await fillCompilerCache(folder);
  const variables = ["GOPROXY", "GOSUMDB", "GONOSUMDB"];
  const values = await Promise.all(variables.map(async (name) => readSetting("go", ["env", name])));
  const settings = Object.entries({ ...compilerSettings, GOCACHE: "/go-build" });
  const root = await readSetting("go", ["env", "GOROOT"]);
  await build(engine, { name: "go-without-cache", context: root, file: join(folder, "go.Dockerfile") }, [
    `FROM ${debian}`,
    "COPY . /usr/local/go",
    "ENV PATH=/usr/local/go/bin:/usr/sbin:/usr/bin:/sbin:/bin GOPATH=/go GOTOOLCHAIN=local",
    `ENV ${variables.map((name, index) => `${name}="${values[index]}"`).join(" ")}`,
    `ENV ${settings.map(([name, value]) => `${name}="${value}"`).join(" ")}`,
    ...(process.env["NODE_EXTRA_CA_CERTS"] === undefined ? [] : [`ENV SSL_CERT_FILE=${authorities}`]),
  ]);
  await build(engine, { name: go, context: compilerCache, file: join(folder, "go-cache.Dockerfile") }, [
    "FROM go-without-cache",
    "COPY . /go-build",
  ]);
}

/** Compiles MinIO's two programs into `compilerCache`, unless .ci/run or an earlier trial has compiled them. */
async function fillCompilerCache(folder: string): Promise<void> {
  const dockerfile = await readFile(join(checkoutFolder, "deploy/minio/Dockerfile"), "utf8");
  const programs = [...dockerfile.matchAll(/go install .* (\S+@\S+)/g)].map(([, program]) => program!);
  if (programs.length !== 2) throw new CommandExitError("deploy/minio/Dockerfile does not install two programs.");
  const GOBIN = join(folder, "programs");
  const environment = { ...process.env, ...compilerSettings, GOCACHE: compilerCache, GOBIN };
  for (const program of programs) await runProgram({ folder, environment }, "go", ["install", program]);
}

async function makePostgresImage(engine: DockerEngine, context: string, { postgres, debian }: Names): Promise<void> {
  await mkdir(context, { recursive: true });
  await writeFile(join(context, "entrypoint.sh"), postgresEntrypoint);
  await build(engine, { name: postgres, context }, [
    `FROM ${debian}`,
    "RUN apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql-15",
    "ENV PATH=/usr/lib/postgresql/15/bin:/usr/sbin:/usr/bin:/sbin:/bin PGDATA=/var/lib/postgresql/data",
    "COPY entrypoint.sh /",
    'ENTRYPOINT ["sh", "/entrypoint.sh"]',
  ]);
}

async function readSetting(program: string, args: readonly string[]): Promise<string> {
  return (await runProgram({ folder: checkoutFolder }, program, args)).trim();
}
