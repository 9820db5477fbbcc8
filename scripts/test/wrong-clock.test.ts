import { existsSync } from "node:fs";
import { createGateway } from "@reports/client";
import { machineHas } from "@reports/testing";
import { expect, test } from "vitest";
import { startApi } from "../commands/running-api.ts";

/** Where Debian's package faketime puts it. */
const library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";
const hasFaketime = machineHas("libfaketime (apt-get install faketime)", existsSync(library));

test.skipIf(!hasFaketime)(
  "an API whose clock is 12 minutes ahead reads relative times by Postgres's clock",
  async () => {
    await using api = await startApi({ proxies: 1, domains: 1 });
    await api.restart({ LD_PRELOAD: library, FAKETIME: "+12m", FAKETIME_DONT_FAKE_MONOTONIC: "1" });
    const { headers } = await fetch(`${api.url}/health/live`);
    expect(Date.parse(headers.get("date")!) - Date.now()).toBeGreaterThan(600_000);
    const gateway = createGateway({ baseUrl: api.url, token: async () => api.token });
    const proxy = { name: "new", kind: "REVERSE", address: "new.example.net", port: 443, protocol: "HTTPS" } as const;
    const { record } = await gateway.proxies.create(proxy);
    const found: string[] = [];
    for await (const { id } of gateway.proxies.list({ createdFrom: "now-PT5M" })) found.push(id);
    expect(found).toContain(record.id);
  },
  180_000,
);
