import { mkdtempSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { createTestCaseDivider, findProgramPath, isAvailableOrThrowInCi } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { getProfileFilePath, writeProfiles } from "../profiles/profile-file.ts";
import { getSharedCliService, serviceTimeoutMs } from "../test/cli-service.ts";
import {
  createCommandsUnderTest,
  type CommandsUnderTest,
  type EnvironmentVariables,
} from "../test/commands-under-test.ts";
import { canOpenTerminals, patientNodeOptions, reportsBinPath } from "../test/run-reports.ts";

const hasFish = isAvailableOrThrowInCi("fish (apt-get install fish)", findProgramPath("fish") !== null);

let commands: CommandsUnderTest;

describe.concurrent("completion in shells", { timeout: serviceTimeoutMs }, () => {
  beforeAll(async () => {
    commands = createCommandsUnderTest(await getSharedCliService());
  }, serviceTimeoutMs);
  afterAll(() => commands[Symbol.dispose]());

  test.skipIf(!canOpenTerminals())("bash completes commands, types, filters, columns and their values", async () => {
    const shell = commands.terminal("exec bash --norc --noprofile -i", installed());
    const type = (keys: string): void => void shell.child.stdin!.write(keys);
    type("source <(reports completion bash); echo ready $((20 + 3))\n");
    await shell.prints("ready 23");
    // Outside of CI, every third line. complete-line.test.ts tests the completions.
    const lines = [
      ["reports sta\t\t", "start   status"],
      ["reports run PROXY_\t", "reports run PROXY_DOMAIN "],
      ["reports run PROXY --where hea\t", "reports run PROXY --where health="],
      ["reports run PROXY --where health=DEG\t", "reports run PROXY --where health=DEGRADED "],
      ["reports --profile sta\t", "reports --profile staging "],
      ["reports list --profile=sta\t", "reports list --profile=staging "],
      ["reports run PROXY --columns name,softwareV\t", "reports run PROXY --columns name,softwareVersion "],
    ] as const;
    for (const [typed, shown] of createTestCaseDivider()(lines, 3)) {
      type(typed);
      await shell.prints(shown);
      type("\u0015");
    }
    type("exit\n");
    expect((await shell.ended).code).toBe(0);
  });

  test.skipIf(!canOpenTerminals() || !hasFish)("fish completes commands and values of filters", async () => {
    const asked =
      'complete -C "reports run PROXY --where health=D"; complete -C "reports --profile sta"; complete -C "reports sta"';
    const shell = commands.terminal(`fish --no-config -c 'reports completion fish | source; ${asked}'`, installed());
    const { out } = await shell.ended;
    expect(out.split("\r\n").map((line) => line.split("\t")[0])).toEqual([
      "health=DEGRADED",
      "health=DOWN",
      "staging",
      "start",
      "status",
      "",
    ]);
  });
});

function installed(): EnvironmentVariables {
  const bin = mkdtempSync(join(commands.folder, "bin-"));
  symlinkSync(reportsBinPath, join(bin, "reports"));
  const environment = { ...commands.newCaller(), XDG_CONFIG_HOME: join(bin, "settings") };
  writeProfiles(
    getProfileFilePath(environment),
    new Map([["staging", { url: "https://staging.example.com", token: "t" }]]),
  );
  const PATH = [bin, dirname(process.execPath), process.env["PATH"]].join(delimiter);
  // By default, a completion omits values that it has not read within three seconds.
  return { ...environment, PATH, NODE_OPTIONS: patientNodeOptions };
}
