import { createWebhookStore } from "@reports/db";
import { waitFor } from "@reports/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createOwnerAuthorityConfirmer } from "./confirm-owners.ts";
import { startApiUnderTest, type ApiUnderTest } from "./test/api-under-test.ts";

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApiUnderTest();
});
afterAll(async () => api[Symbol.asyncDispose]());

const granted = ["WEBHOOKS_WRITE", "REPORT_PROXY", "REGISTRY_READ"];
const hook = { url: "https://receiver.example/hook", events: ["report.cancelled"] };

async function makeUnseen(subject: string) {
  const { id } = (await (await api.as(granted, subject)).post("/v1/webhooks").send(hook).expect(201)).body;
  // The request also confirms its owner in the background, which must not happen after the update.
  await waitFor(() => api.database.load().open === 0, { what: "the confirmation by the request to end" });
  await api.sql`update webhooks set confirmed_at = now() - interval '2 days' where id = ${id}`;
  return async () =>
    (await api.sql`select confirmed_at > now() - interval '1 day' as seen from webhooks where id = ${id}`)[0]!["seen"];
}

test("any request of a webhook's owner confirms that the owner is still active", async () => {
  const isSeen = await makeUnseen("alice");
  // A new instance is used, because `api` confirms each owner at most once per hour.
  await using other = await startApiUnderTest({ databaseUrl: api.databaseUrl });
  await (await other.as(granted, "alice")).get("/v1/callers").expect(200);
  expect(await waitFor(isSeen, { what: "the confirmation of the owner" })).toBe(true);
});

test.each([
  ["every authority that was stored", granted, true],
  ["every authority that matters to webhooks", ["WEBHOOKS_WRITE", "REPORT_PROXY", "OTHER"], true],
  ["no authority of the report type", ["WEBHOOKS_WRITE", "REGISTRY_READ"], false],
  ["no authority to have webhooks", ["REPORT_PROXY", "REGISTRY_READ"], false],
])("a request with %s confirms the owner of a webhook: %3$s", async (name, authorities, confirms) => {
  const isSeen = await makeUnseen(name);
  const store = createWebhookStore(api.database);
  const written = Promise.withResolvers<number>();
  const note = createOwnerAuthorityConfirmer({
    schedules: { confirmOwner: async () => 0 },
    webhooks: {
      confirmOwner: async (owner, lacking) => {
        const count = await store.confirmOwner(owner, lacking);
        written.resolve(count);
        return count;
      },
    },
    authorities: api.authorities,
    logger: api.logger,
  });
  note({
    id: `https://issuer.example|${name}`,
    kind: "bearer",
    authorities: new Set(authorities),
    displayName: null,
    endsAt: null,
  });
  expect(await written.promise).toBe(Number(confirms));
  expect(await isSeen()).toBe(confirms);
});
