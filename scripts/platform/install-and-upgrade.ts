import { randomBytes } from "node:crypto";
import type { Gateway } from "@reports/client";
import { CommandExitError } from "@reports/commands";
import { startBalancer, checkoutFolder } from "@reports/testing";
import { trialCallerAuthorities, trialCallerNames, trialCallerPassword } from "./callers.ts";
import type { CallerLoad } from "./caller-load.ts";
import type { Platform } from "./start-platform.ts";
import { installPreviousVersion } from "./previous-version.ts";
import { startPrometheus } from "./prometheus.ts";
import { createTrialWebhooks } from "./webhooks.ts";

/** The shortest lifetime that the API allows. The trial has to wait until all tokens signed with the old secret have expired. */
export const tokenLifetimeSeconds = 60;

export interface PlatformTrialContext {
  readonly platform: Platform;
  readonly load: CallerLoad;
  readonly callers: readonly Gateway[];
}

export type InstalledPlatform = Awaited<ReturnType<typeof installPlatform>>;

export const createRandomKey = (encoding: "base64" | "hex"): string => randomBytes(32).toString(encoding);

export async function installPlatform({ platform, load, callers }: PlatformTrialContext) {
  await using parts = new AsyncDisposableStack();
  const { guides, deployment, certificates, collector, receiver } = platform;
  load.begin("install");
  const previous = (await installPreviousVersion(platform.folder)) ?? checkoutFolder;
  deployment.runFrom(previous);
  // The backup guides also copy a folder, which they call STORAGE_DIR. The service has its files in MinIO, so its own STORAGE_DIR stays unset.
  await guides.run(`export CHECKOUT=${previous}\nSTORAGE_DIR=$PWD/files`);
  await guides.runUntil("install", "cat > worker.env");
  const common = {
    WEBHOOK_KEY: createRandomKey("base64"),
    WEBHOOK_ALLOW: receiver.origin,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER_ARG: "1",
  };
  await deployment.change("api", {
    ...common,
    AUTH_JWT_SECRET: createRandomKey("hex"),
    AUTH_TOKEN_LIFETIME_SECONDS: String(tokenLifetimeSeconds),
    START_LIMIT_PER_MINUTE: "0",
  });
  await deployment.change("worker", { ...common, SPOOL_DIR: `${platform.folder}/spool` });
  await deployment.startAll();
  const [, , first, second] = deployment.instances;
  const [one, other] = [first!, second!].map(({ port, probePort }) => ({
    origin: `http://127.0.0.1:${port}`,
    probePort,
  }));
  const tls = certificates.shown.nginx;
  const balancer = parts.use(await startBalancer("nginx", [one!, other!], { port: platform.balancerPort, tls }));
  const ports = deployment.instances.map(({ probePort }) => probePort);
  const prometheus = parts.use(await startPrometheus(platform.folder, ports));
  await guides.runRest("install");
  await guides.runRest("behind-a-proxy");
  for (const name of trialCallerNames)
    await guides.run(
      `printf '%s\\n' ${trialCallerPassword} | users create ${name} --authorities ${trialCallerAuthorities.join(",")}`,
    );

  load.begin("first report");
  const webhooks = createTrialWebhooks(callers[0]!, load, receiver);
  await webhooks.subscribe();
  await load.makeReport(callers[0]!, "The first report");
  await guides.runRest("monitor");
  load.start(callers);
  const owned = parts.move();
  return {
    balancer,
    webhooks,
    async checkObservers(): Promise<void> {
      await prometheus.check();
      const services = new Set(collector.spans.map(({ service }) => service));
      for (const service of ["reports-api", "reports-worker"])
        if (!services.has(service)) throw new CommandExitError(`The collector has no span of ${service}.`);
    },
    [Symbol.asyncDispose]: async () => owned.disposeAsync(),
  };
}

export async function runUpgradeGuide({ platform: { guides, deployment }, load }: PlatformTrialContext): Promise<void> {
  load.begin("upgrade, 2 + 2 restarts");
  await guides.run(`export CHECKOUT=${checkoutFolder}`);
  await guides.runRest("upgrade");
  deployment.runFrom(checkoutFolder);
  await deployment.roll("worker");
  await deployment.roll("api");
}
