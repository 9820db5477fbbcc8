import { afterAll, expect, test } from "vitest";
import { startApiUnderTest } from "../test/api-under-test.ts";
import { createPermissionTestLister } from "../test/permission-targets.ts";

const api = await startApiUnderTest();
const targetsOf = await createPermissionTestLister(api);
const allAuthorities = [...api.authorities.all, "REGISTRY_READ", "REGISTRY_WRITE", "REPORTS_ADMIN", "WEBHOOKS_WRITE"];
const callers = ["somebody", "owner", "owner of webhooks"];
afterAll(async () => api[Symbol.asyncDispose]());

const writes = api.endpoints.flatMap((endpoint) =>
  endpoint.method === "PUT" || endpoint.method === "PATCH"
    ? targetsOf(endpoint)
        .filter(({ state }) => state === "active")
        .map(({ url }) => ({ method: endpoint.method, name: `${endpoint.method} ${endpoint.path}`, url }))
    : [],
);

test("these tests have a record for every PUT and PATCH endpoint", () => {
  expect(new Set(writes.map(({ name }) => name)).size).toBe(
    api.endpoints.filter(({ method }) => method === "PUT" || method === "PATCH").length,
  );
});

test.each(writes)("sending a record back by $name changes neither the record nor its entity tag", async (write) => {
  for (const subject of callers) {
    const caller = await api.as(allAuthorities, subject);
    const read = await caller.get(write.url).expect(200);
    for (const body of write.method === "PATCH" ? [{}, read.body] : [read.body]) {
      const put = write.method === "PUT" ? caller.put(write.url) : caller.patch(write.url);
      const written = await put.set("If-Match", read.headers["etag"]!).send(body);
      expect([written.status, written.body]).toEqual([201, read.body]);
      expect(written.headers["etag"]).toBe(read.headers["etag"]);
    }
    const again = await caller.get(write.url).expect(200);
    expect([again.headers["etag"], again.body]).toEqual([read.headers["etag"], read.body]);
  }
});
