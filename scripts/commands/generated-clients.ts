import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { hashPassword } from "@reports/auth";
import { createDatabase, createUserStore } from "@reports/db";
import { runCommand, type CommandContext } from "./command-line.ts";
import { prepareTools, runTool } from "./openapi-tools.ts";
import { startApi } from "./running-api.ts";

const help = `Usage: pnpm generated-clients

Starts API and worker, generates clients from /openapi.json by openapi-typescript and @hey-api/openapi-ts, compiles what they made, and
goes the whole way of a caller with each: token, list, start, wait, download, digest. openapi-tools/smoke holds the programs.

Exit codes: 0 every client works, 1 one does not, 2 wrong usage.
`;

await runCommand(async ({ args }: CommandContext) => {
  const { values } = parseArgs({ args: [...args], options: { help: { type: "boolean", short: "h" } } });
  if (values.help === true) return void process.stdout.write(help);
  const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);
  await using api = await startApi({ proxies: 60, domains: 300, worker: true, onProgress: say });
  const document = await prepareTools(api.url);
  say("Generating clients.");
  await runTool("openapi-typescript", [document, "--output", "generated/openapi-typescript/schema.ts"]);
  await runTool("openapi-ts", ["--input", document, "--output", "generated/hey-api", "--no-log-file"]);
  // The compiler of the workspace: what was generated has to suit those who use it, and not only TypeScript 5.
  await runTool(`${import.meta.dirname}/../../node_modules/.bin/tsc`, ["--project", "tsconfig.json"]);
  const caller = { API_URL: api.url, API_CREDENTIALS: await createUser(api.databaseUrl) };
  for (const client of ["openapi-fetch", "hey-api"]) {
    say(`Trying ${client}.`);
    await runTool(process.execPath, ["--import", "./smoke/resolve-as-bundlers.mjs", `smoke/${client}.ts`], caller);
  }
  say("Both clients work.");
});

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
