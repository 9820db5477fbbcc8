import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { toKeysetAnchor } from "@reports/core/query";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiUnderTest, type ApiUnderTest } from "../test/api-under-test.ts";

let api: ApiUnderTest;
let reserved: ApiUnderTest;

beforeAll(async () => {
  api = await startApiUnderTest();
  reserved = await startApiUnderTest({
    reportVisibility: "requester",
    databaseUrl: api.databaseUrl,
    store: api.store,
  });
});
afterAll(async () => {
  await reserved[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
});

const unknownId = "018f0000-0000-7000-8000-000000000001";

function listAfter(id: string): string {
  const packed = deflateRawSync(JSON.stringify([toKeysetAnchor([null, id]), { sort: "finishedAt" }, {}]));
  const text = packed.toString("base64url");
  const seal = createHash("sha256").update(`/v1/reports\n${text}`).digest("base64url").slice(0, 16);
  return `/v1/reports?cursor=${seal}${text}`;
}

test("a forged cursor does not reveal whether a hidden report exists", async () => {
  const owner = await api.as(["REPORT_PROXY"], "owner");
  const { body } = await owner.post("/v1/reports").send({ reportType: "PROXY" }).expect(202);
  const [known, unknown] = [listAfter((body as { id: string }).id), listAfter(unknownId)];
  const hidden = [
    await api.as(["REPORT_PROXY_DOMAIN"], "other"),
    await reserved.as(["REPORT_PROXY"], "other"),
    await reserved.as(["REPORT_PROXY_DOMAIN", "REPORTS_ADMIN"], "administrator"),
  ];
  for (const caller of hidden) {
    const [first, second] = [await caller.get(known), await caller.get(unknown)];
    expect([first.status, first.body.errors]).toEqual([400, second.body.errors]);
    expect([second.status, second.body.errors[0].code]).toEqual([400, "bad_cursor"]);
  }
  for (const caller of [owner, await api.as(["REPORT_PROXY"], "other"), await reserved.as(["REPORT_PROXY"], "owner")])
    await caller.get(known).expect(200);
});
