import { runCommand } from "@reports/commands";
import { prepareTools, runTool } from "./openapi-tools.ts";
import { startApi } from "./running-api.ts";

await runCommand(async () => {
  const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);
  await using api = await startApi({ proxies: 1, domains: 1, onProgress: say });
  const document = await prepareTools(api.url);
  await runTool("redocly", ["lint", document, "--config", "redocly.yaml"]);
  await runTool("spectral", ["lint", document, "--ruleset", "spectral.yaml", "--fail-severity", "hint"]);
});
