import { randomBytes } from "node:crypto";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { hashPassword } from "@reports/auth";
import { createDatabase, createUserStore } from "@reports/db";
import { runCommand } from "@reports/commands";
import { printToStderr, startDemoDataStand } from "./command-stand.ts";
import { hasMaven } from "./has-maven.ts";
import { readDocumentedCommands, type GeneratedClientName } from "./documented-commands.ts";
import { installPypiGenerators } from "./pypi-generators.ts";
import { generatedClientsFolder, prepareOpenApiTools, runOpenApiTool, openApiToolsFolder } from "./openapi-tools.ts";

/** Java option that switches off the optimizing compiler, which costs more time than it saves in programs that run for seconds. */
const quickStart = "-XX:TieredStopAtLevel=1";

type Variables = Readonly<Record<string, string>>;

await runCommand(async () => {
  await using stand = await startDemoDataStand({ proxies: 60, domains: 300, apis: 1, workers: 1 });
  await prepareOpenApiTools(stand.origin);
  const tools: Variables = {
    ...(await installPypiGenerators()),
    JDK_JAVA_OPTIONS: `${quickStart} -Dlog.level=error`,
    MAVEN_OPTS: quickStart,
  };
  const caller: Variables = { API_URL: stand.origin, API_CREDENTIALS: await createUser(stand.databaseUrl) };
  /** Generates a client with the commands of docs/guides/calling/generate-a-client.md. */
  const generate = async (client: GeneratedClientName): Promise<void> => {
    printToStderr(`Generating: ${client}.`);
    const args = ["-euo", "pipefail", "-c", await readDocumentedCommands(client)];
    await runOpenApiTool("bash", args, tools, generatedClientsFolder);
  };
  await generate("openapi-typescript");
  await generate("@hey-api/openapi-ts");
  // Both clients, and @reports/client, must compile with the workspace's compiler and with that of openapi-tools.
  for (const compiler of [`${import.meta.dirname}/../../node_modules/.bin/tsc`, "tsc"])
    await runOpenApiTool(compiler, ["--project", "tsconfig.json"]);
  for (const client of ["openapi-fetch", "hey-api"]) {
    printToStderr(`Calling with ${client}.`);
    const args = ["--import", "./smoke/resolve-as-bundlers.mjs", `smoke/${client}.ts`];
    await runOpenApiTool(process.execPath, args, caller);
  }
  await generate("openapi-python-client");
  await runOpenApiTool("python3", ["smoke/openapi_python_client.py"], { ...tools, ...caller });
  await generate("oapi-codegen");
  await cp(join(openApiToolsFolder, "smoke/go"), join(generatedClientsFolder, "go"), { recursive: true });
  await runOpenApiTool("go", ["run", "."], caller, join(generatedClientsFolder, "go"));
  if (!hasMaven()) return printToStderr("All clients work. Those of Java and Kotlin were not tried.");
  const maven = ["--quiet", "--batch-mode", "--no-transfer-progress"];
  await generate("openapi-generator, Kotlin");
  const kotlin = join(generatedClientsFolder, "kotlin");
  await cp(join(openApiToolsFolder, "smoke/kotlin/pom.xml"), join(kotlin, "pom.xml"));
  await cp(join(openApiToolsFolder, "smoke/kotlin/Smoke.kt"), join(kotlin, "src/main/kotlin/Smoke.kt"));
  await runOpenApiTool("mvn", [...maven, "compile", "exec:java"], { ...tools, ...caller }, kotlin);
  await generate("openapi-generator, Java");
  const java = join(generatedClientsFolder, "java");
  await cp(join(openApiToolsFolder, "smoke/java/Smoke.java"), join(java, "src/main/java/Smoke.java"));
  const plugin = "org.codehaus.mojo:exec-maven-plugin:3.5.1:java";
  const run = ["-Dmaven.test.skip", "-Dexec.mainClass=Smoke", "compile", plugin];
  await runOpenApiTool("mvn", [...maven, ...run], { ...tools, ...caller }, java);
  printToStderr("All clients work.");
});

/** Creates a user who may read the inventory and start reports. Returns Basic credentials. */
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
