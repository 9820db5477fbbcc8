import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiUnderTest, type ApiUnderTest } from "../test/api-under-test.ts";

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApiUnderTest();
  await api.addUser("carol", "a-long-password", ["REGISTRY_READ", "REPORT_PROXY"]);
});
afterAll(async () => api[Symbol.asyncDispose]());

test("/v1/callers returns the caller's principal and its sorted authorities", async () => {
  const byPassword = await api.anonymous().get("/v1/callers").auth("carol", "a-long-password").expect(200);
  expect(byPassword.body).toEqual([{ id: "basic:carol", authorities: ["REGISTRY_READ", "REPORT_PROXY"] }]);
  expect(byPassword.headers["cache-control"]).toBe("no-store");
  const bearer = await api.as(["REPORTS_ADMIN", "REPORT_PROXY", "SOMETHING_ELSE"], "dave");
  const { body } = await bearer.get("/v1/callers").expect(200);
  expect(body).toEqual([
    { id: "https://issuer.example|dave", authorities: ["REPORTS_ADMIN", "REPORT_PROXY", "SOMETHING_ELSE"] },
  ]);
  const started = await bearer.post("/v1/reports").send({ reportType: "PROXY" }).expect(202);
  expect((started.body as { requestedBy: string }).requestedBy).toBe((body as [{ id: string }])[0].id);
});

test("/v1/callers answers 200 without authorities, and 401 without credentials", async () => {
  const powerless = await api.as([], "erin");
  const { body } = await powerless.get("/v1/callers").expect(200);
  expect(body).toMatchObject([{ authorities: [] }]);
  await api.anonymous().get("/v1/callers").expect(401);
});
