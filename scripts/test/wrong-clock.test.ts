import { existsSync } from "node:fs";
import { createGateway } from "@reports/client";
import { cloneDemoDatabase, isAvailableOrThrowInCi, startStand } from "@reports/testing";
import { expect, test } from "vitest";

const library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";
const hasFaketime = isAvailableOrThrowInCi("libfaketime (apt-get install faketime)", existsSync(library));

test.skipIf(!hasFaketime)(
  "an API whose clock is 12 minutes ahead reads relative times by Postgres's clock",
  async () => {
    await using database = await cloneDemoDatabase();
    const environment = { LD_PRELOAD: library, FAKETIME: "+12m", FAKETIME_DONT_FAKE_MONOTONIC: "1" };
    await using stand = await startStand({ database, store: "folder", apis: 1, environment });
    const { headers } = await fetch(`${stand.origin}/health/live`);
    expect(Date.parse(headers.get("date")!) - Date.now()).toBeGreaterThan(600_000);
    const token = stand.token();
    const gateway = createGateway({ baseUrl: stand.origin, token: async () => token });
    const proxy = { name: "new", kind: "REVERSE", address: "new.example.net", port: 443, protocol: "HTTPS" } as const;
    const { record } = await gateway.proxies.create(proxy);
    const found: string[] = [];
    for await (const { id } of gateway.proxies.list({ createdFrom: "now-PT5M" })) found.push(id);
    expect(found).toContain(record.id);
  },
  180_000,
);
