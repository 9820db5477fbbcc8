import { afterAll, expect, test } from "vitest";
import { startApiUnderTest, createTestToken } from "../test/api-under-test.ts";
import { createPermissionTestLister } from "../test/permission-targets.ts";
import { openRawClient } from "../test/raw-client.ts";

// The API starts at import, because the test cases are generated from its endpoints.
const api = await startApiUnderTest();
const targetsOf = await createPermissionTestLister(api);
const allAuthorities = [...api.authorities.all, "REGISTRY_READ", "REGISTRY_WRITE", "REPORTS_ADMIN", "WEBHOOKS_WRITE"];
await api.addUser("basic", "a-long-password", []);
const basic = `Basic ${Buffer.from("basic:a-long-password").toString("base64")}`;
afterAll(async () => api[Symbol.asyncDispose]());

const posts = api.endpoints
  .filter(({ method, body }) => method === "POST" && body !== undefined)
  .map((endpoint) => {
    const url = targetsOf(endpoint).find(({ state }) => state === "active")?.url ?? endpoint.path;
    return { endpoint, operationId: endpoint.operationId, url };
  });
const optional = posts.filter(({ endpoint }) => endpoint.body?.isOptional === true);

test("only the POSTs that create links, runs and webhook secrets have an optional body", () => {
  expect(optional.map(({ operationId }) => operationId).toSorted()).toEqual([
    "createDownloadLink",
    "rotateWebhookSecret",
    "runReportSchedule",
  ]);
});

interface Described {
  readonly $ref?: string;
  readonly required?: readonly string[];
  readonly anyOf?: unknown;
  readonly oneOf?: unknown;
}

test("OpenAPI requires exactly the bodies that have a required field", async () => {
  const { body } = await api.anonymous().get("/openapi.json").expect(200);
  const { paths, components } = body as {
    paths: Record<
      string,
      { post?: { requestBody?: { required: boolean; content: Record<string, { schema: Described }> } } }
    >;
    components: { schemas: Record<string, Described> };
  };
  const wrong = posts.filter(({ endpoint }) => {
    const { required, content } = paths[endpoint.path]!.post!.requestBody!;
    const { schema } = content["application/json"]!;
    const whole = components.schemas[schema.$ref?.split("/").at(-1) ?? ""] ?? schema;
    const needsField = (whole.required ?? []).length > 0 || whole.anyOf !== undefined || whole.oneOf !== undefined;
    return required !== needsField || required === (endpoint.body?.isOptional === true);
  });
  expect(wrong.map(({ operationId }) => operationId)).toEqual([]);
});

test.each(optional)("$operationId accepts a request without a body and a Content-Type", async ({ url }) => {
  const caller = await api.as(allAuthorities, "owner");
  const [none, empty] = [await caller.post(url), await caller.post(url).send({})];
  expect([none.status, Object.keys(none.body as object)]).toEqual([201, Object.keys(empty.body as object)]);
  expect(empty.status).toBe(201);
  expect((await caller.post(url).set("Content-Type", "application/json").send("")).status).toBe(201);
  expect((await caller.post(url).send({ nonsense: 1 })).status).toBe(422);
  expect((await caller.post(url).set("Content-Type", "text/plain").send("x")).status).toBe(415);
});

const bodiless = api.endpoints
  .filter(({ method, body }) => method === "POST" && body === undefined)
  .map((endpoint) => ({
    endpoint,
    operationId: endpoint.operationId,
    url: targetsOf(endpoint).find(({ state }) => state === "active")?.url ?? endpoint.path,
  }));

test.each([...optional, ...bodiless])("$operationId treats an empty chunked body as a missing body", async (post) => {
  const { url, endpoint } = post;
  const isBasic = endpoint.access.kind === "password";
  const Authorization = isBasic ? basic : `Bearer ${await createTestToken(allAuthorities, "owner")}`;
  await using client = await openRawClient(api.listener, { Authorization, "Transfer-Encoding": "chunked" });
  const send = async (headers: Record<string, string>, chunks: string) =>
    (await client.ask({ method: "POST", path: url, headers, chunks })).status;
  expect(await send({}, "")).toBe(201);
  // A 429 is the limit for new secrets. It also shows that the API accepted the empty body, because the API reads the body before it checks that
  // limit.
  expect([201, 429]).toContain(await send({ "Content-Type": "application/json" }, ""));
  expect(await send({}, "{}")).toBe(415);
});

test.each(posts.filter((post) => !optional.includes(post)))(
  "$operationId, which requires a body, answers 415 without one",
  async ({ url }) => {
    const caller = await api.as(allAuthorities, "owner");
    expect((await caller.post(url)).status).toBe(415);
  },
);
