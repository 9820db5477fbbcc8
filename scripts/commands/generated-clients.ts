import { randomBytes } from "node:crypto";
import { relative } from "node:path";
import { parseArgs } from "node:util";
import { hashPassword } from "@reports/auth";
import { createDatabase, createUserStore } from "@reports/db";
import { runCommand, type CommandContext } from "@reports/commands";
import { hasMaven } from "./has-maven.ts";
import { prepareGenerators, type Generators } from "./pypi-generators.ts";
import { prepareTools, runTool, toolsFolder } from "./openapi-tools.ts";
import { startApi } from "./running-api.ts";

const help = `Usage: pnpm generated-clients

Starts API and worker, generates clients from /openapi.json by openapi-typescript, @hey-api/openapi-ts and openapi-python-client, compiles
those of TypeScript, and goes the whole way of a caller with each: token, list, start, wait, download, digest. openapi-tools/smoke holds the
programs. openapi-generator's client of Java is compiled by Maven. The generators of PyPI are installed at the first run.

Needs python3 (3.11) with pip; javac and mvn for Java, which is left out, and said to be, where they are missing and CI is not set.

Exit codes: 0 every client works, 1 one does not, 2 wrong usage.
`;

/** Both programs run for seconds: what the second compiler of Java takes is not had back. */
const quickStart = "-XX:TieredStopAtLevel=1";

await runCommand(async ({ args }: CommandContext) => {
  const { values } = parseArgs({ args: [...args], options: { help: { type: "boolean", short: "h" } } });
  if (values.help === true) return void process.stdout.write(help);
  const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);
  await using api = await startApi({ proxies: 60, domains: 300, worker: true, onProgress: say });
  const document = await prepareTools(api.url);
  say("Generating clients.");
  await runTool("openapi-typescript", [document, "--output", "generated/openapi-typescript/schema.ts"]);
  await runTool("openapi-ts", ["--input", document, "--output", "generated/hey-api", "--no-log-file"]);
  // The compiler of the workspace and the tools' own: what was generated, and @reports/client beside it, has to suit those who use either.
  for (const compiler of [`${import.meta.dirname}/../../node_modules/.bin/tsc`, "tsc"])
    await runTool(compiler, ["--project", "tsconfig.json"]);
  const caller = { API_URL: api.url, API_CREDENTIALS: await createUser(api.databaseUrl) };
  for (const client of ["openapi-fetch", "hey-api"]) {
    say(`Trying ${client}.`);
    await runTool(process.execPath, ["--import", "./smoke/resolve-as-bundlers.mjs", `smoke/${client}.ts`], caller);
  }
  const generators = await prepareGenerators();
  say("Trying openapi-python-client.");
  await tryPython(document, generators, caller);
  const isJavaTried = await tryJava(document, generators, say);
  say(`All clients work${isJavaTried ? "" : ", but for Java's, which was not tried"}.`);
});

async function tryPython(
  document: string,
  { environment }: Generators,
  caller: Readonly<Record<string, string>>,
): Promise<void> {
  const to = ["--meta", "none", "--output-path", "generated/python", "--overwrite"];
  await runTool("python3", ["-m", "openapi_python_client", "generate", "--path", document, ...to], environment);
  await runTool("python3", ["smoke/openapi_python_client.py"], { ...environment, ...caller });
}

/** Compiles the client that openapi-generator makes by default settings; false where nothing is there to compile it with. */
async function tryJava(
  document: string,
  { openapiGenerator }: Generators,
  say: (sentence: string) => void,
): Promise<boolean> {
  if (!hasMaven()) return false;
  say("Compiling openapi-generator's client of Java.");
  const from = [
    "-jar",
    openapiGenerator,
    "generate",
    "--input-spec",
    relative(toolsFolder, document),
    "--output",
    "generated/java",
  ];
  const only = [
    "--global-property",
    "apis,models,supportingFiles,apiTests=false,modelTests=false,apiDocs=false,modelDocs=false",
  ];
  await runTool("java", [
    quickStart,
    "-Dlog.level=error",
    ...from,
    "--generator-name",
    "java",
    "--library",
    "native",
    ...only,
  ]);
  await runTool(
    "mvn",
    ["--quiet", "--batch-mode", "--file", "generated/java/pom.xml", "-Dmaven.test.skip", "compile"],
    {
      MAVEN_OPTS: quickStart,
    },
  );
  return true;
}

/** A user who may read the register and start reports, as Basic credentials. */
async function createUser(databaseUrl: string): Promise<string> {
  const [name, password] = ["client", randomBytes(12).toString("base64url")];
  const database = createDatabase({ url: databaseUrl });
  try {
    const authorities = ["REPORT_PROXY", "REPORT_PROXY_DOMAIN", "REGISTRY_READ"];
    await createUserStore(database).create({ name, passwordHash: await hashPassword(password), authorities });
  } finally {
    await database.close();
  }
  return Buffer.from(`${name}:${password}`).toString("base64");
}
