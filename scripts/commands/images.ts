import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { runCommand } from "@reports/commands";
import { debianPostgresFolder } from "@reports/testing";
import { canStartDockerEngine } from "../images/docker-engine.ts";
import { runIsolated } from "../images/run-isolated.ts";
import { allowsNamespaces } from "../machine/run-in-namespaces.ts";
import { canRunTrial } from "../machine/trial-machine.ts";

const programs = `${debianPostgresFolder}/postgres debootstrap go openssl jq curl psql unshare nsenter ip iptables-restore minio mc`;

await runCommand(async ({ args, signal }) => {
  const { save } = parseArgs({ args: [...args], options: { save: { type: "string" } } }).values;
  const needs =
    "root, debootstrap, iproute2, Go, Debian's PostgreSQL 15, openssl and jq, and MinIO's server and client";
  if (!canRunTrial(needs, programs) || !canStartDockerEngine()) return;
  if (await allowsNamespaces()) await runIsolated(save === undefined ? [] : [resolve(save)], signal);
});
