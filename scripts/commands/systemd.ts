import { homedir } from "node:os";
import { join } from "node:path";
import { CommandExitError, runCommand } from "@reports/commands";
import { checkoutFolder, debianPostgresFolder, findFreePort } from "@reports/testing";
import { runProgram } from "../machine/run-program.ts";
import { canRunTrial, createTrialFolder, joinPathWithGoPrograms } from "../machine/trial-machine.ts";
import { bootSystemd, type BootedSystemd } from "../platform/boot-systemd.ts";
import { makeReportAsCaller, trialCallerPassword } from "../platform/callers.ts";
import { createGuideRunner, createExampleReplacer, waitUntilReady } from "../platform/guides.ts";
import { startTlsServers, type TlsServers } from "../platform/start-tls-servers.ts";
import { rejectOnAbort, printToStderr } from "./command-stand.ts";

const assertNewFolders = `
for app in api worker; do
  process=$(systemctl show --property=MainPID --value report-gateway-$app)
  test /proc/$process/cwd -ef /srv/report-$app-2
done`;

const killWorker = "systemctl kill --kill-who=main --signal=KILL report-gateway-worker";

const assertStopsAfterWrongConfiguration = `
echo PORT=none >> /etc/reports/api-2.env
systemctl restart report-gateway-api-2
until [ "$(systemctl is-active report-gateway-api-2)" = failed ]; do sleep 0.5; done
test "$(systemctl show --property=ExecMainStatus --value report-gateway-api-2)" = 78`;

const neededPrograms = `/lib/systemd/systemd ${debianPostgresFolder}/postgres openssl jq curl psql unshare minio mc`;

await runCommand(async ({ signal }) => {
  const needs = "root, systemd, Debian's PostgreSQL 15, openssl, jq and curl, and MinIO's server and client";
  if (!canRunTrial(needs, neededPrograms)) return;
  await using parts = new AsyncDisposableStack();
  const { path: folder } = parts.use(await createTrialFolder("reports-units-"));
  const servers = parts.use(await startTlsServers(folder));
  // If the kernel does not offer the namespaces that systemd needs, no package can add them. So the trial is skipped and does not fail.
  const systemd = await bootSystemd().catch((error: unknown) => {
    printToStderr(`Not tried, because systemd does not start in namespaces of this machine: ${String(error)}`);
    return null;
  });
  if (systemd === null) return;
  parts.use(systemd);
  printToStderr("systemd is ready.");
  await Promise.race([runTrial(folder, servers, systemd), rejectOnAbort(signal)]);
});
// Exits explicitly, because after an interruption the steps would continue on stopped servers.
process.exit();

async function runTrial(folder: string, { certificates, postgres, minio }: TlsServers, systemd: BootedSystemd) {
  const ports = await Promise.all(Array.from({ length: 5 }, findFreePort));
  const [api, probe, worker, secondApi, secondProbe] = ports.map(String) as [string, string, string, string, string];
  await using guides = await createGuideRunner({
    guides: ["install", "upgrade"],
    runner: "pnpm try systemd",
    enter: systemd.enter,
    folder,
    environment: {
      PATH: joinPathWithGoPrograms(process.env["PATH"]),
      HOME: homedir(),
      MC_CONFIG_DIR: join(folder, ".mc"),
      PGPASSWORD: new URL(postgres.url).password,
      CURL_CA_BUNDLE: certificates.trusted,
    },
    fill: createExampleReplacer([
      ["PGHOST=db.internal", `PGHOST=127.0.0.1 PGPORT=${postgres.port}`],
      ["@db.internal/", `@127.0.0.1:${postgres.port}/`],
      ["https://s3.internal", minio.endpoint],
      ["=ROOT_USER", `=${minio.accessKey}`],
      ["=ROOT_PASSWORD", `=${minio.secretKey}`],
      ["\nPROBE_PORT=3002\n", `\nPROBE_PORT=${probe}\nPORT=${api}\n`],
      ["\nMINIO_ACCESS_KEY=gateway-worker\n", `\nMINIO_ACCESS_KEY=gateway-worker\nWORKER_PORT=${worker}\n`],
      [/\b3002\b/g, probe],
      [/\b3001\b/g, worker],
      [/\b3010\b/g, secondApi],
      [/\b3012\b/g, secondProbe],
    ]),
  });
  const untilReady = async (): Promise<void> => {
    for (const port of [probe, worker, secondProbe]) await guides.run(waitUntilReady(port));
  };
  const makeReport = async (): Promise<void> => makeReportAsCaller(`http://127.0.0.1:${api}`, folder);
  try {
    await guides.run(`unset NODE_OPTIONS\ncd ${checkoutFolder}`);
    await guides.run(`mkdir -p /etc/reports\ncp ${certificates.trusted} /etc/reports/ca.crt`);
    await guides.runUntil("install", "report-gateway-api-2");
    await untilReady();
    printToStderr("The units are ready.");
    await guides.runRest("install");
    await guides.run(`printf '%s\\n' ${trialCallerPassword} | users create caller --authorities REPORT_PROXY_DOMAIN`);
    await makeReport();
    printToStderr("The installation has made a report.");
    await guides.run(`cd ${checkoutFolder}`);
    await guides.runRest("upgrade");
    await untilReady();
    await guides.run(assertNewFolders);
    await makeReport();
    printToStderr("The upgraded installation has made a report.");
    await guides.run(killWorker);
    await untilReady();
    await guides.run(assertStopsAfterWrongConfiguration);
    printToStderr("systemd restarts a killed worker, and not an API with a wrong configuration.");
  } catch (error) {
    printToStderr(error instanceof Error ? error.message : String(error));
    const [program, ...enter] = systemd.enter as [string, ...string[]];
    const log = await runProgram({ folder }, program, [...enter, "journalctl", "--no-pager", "--lines=100"]);
    throw new CommandExitError(`The log of systemd:\n${log}`);
  }
}
