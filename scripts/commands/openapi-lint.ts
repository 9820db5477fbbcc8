import { parseArgs } from "node:util";
import { runCommand, type CommandContext } from "@reports/commands";
import { prepareTools, runTool } from "./openapi-tools.ts";
import { startApi } from "./running-api.ts";

const help = `Usage: pnpm openapi-lint

Starts the API and has its description at /openapi.json judged by redocly and spectral. A warning is a failure; the rules that do not
hold here stand in openapi-tools/redocly.yaml and openapi-tools/spectral.yaml, each with its reason.

Exit codes: 0 nothing was found, 1 something was, 2 wrong usage.
`;

await runCommand(async ({ args }: CommandContext) => {
  const { values } = parseArgs({ args: [...args], options: { help: { type: "boolean", short: "h" } } });
  if (values.help === true) return void process.stdout.write(help);
  const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);
  await using api = await startApi({ proxies: 1, domains: 1, onProgress: say });
  const document = await prepareTools(api.url);
  await runTool("redocly", ["lint", document, "--config", "redocly.yaml"]);
  await runTool("spectral", ["lint", document, "--ruleset", "spectral.yaml", "--fail-severity", "hint"]);
});
