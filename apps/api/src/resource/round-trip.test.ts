import { isDeepStrictEqual } from "node:util";
import type { startOptionDeclarations } from "@reports/core/report";
import { createTestCaseDivider } from "@reports/testing";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { startApiUnderTest } from "../test/api-under-test.ts";
import { createRestrictedTestLogin } from "../test/restricted-login.ts";
import {
  listRoundTripFields,
  roundTripRecords,
  type FieldValues,
  type RoundTripField,
} from "../test/round-trip-records.ts";
import { testProxyBody } from "../test/inventory-bodies.ts";

// The API starts at import, because the test cases are generated from its declarations. So a new field is tested without an edit of this file.
const login = createRestrictedTestLogin();
const api = await startApiUnderTest({ apiDatabaseUrl: login.apiDatabaseUrl });
const allAuthorities = [...api.authorities.all, "REGISTRY_READ", "REGISTRY_WRITE", "REPORTS_ADMIN", "WEBHOOKS_WRITE"];
const caller = await api.as(allAuthorities, "owner");
afterAll(async () => {
  await login.remove(api.databaseUrl);
  await api[Symbol.asyncDispose]();
});

type Writing = PromiseLike<{ readonly status: number; readonly body: unknown }>;
interface RecordUrl {
  readonly path: string;
  readonly id: string;
}

async function read({ path, id }: RecordUrl) {
  const { body, headers } = await caller.get(`${path}/${id}`).expect(200);
  return { body: body as FieldValues, etag: headers["etag"] };
}

async function readInList({ path, id }: RecordUrl) {
  const { body } = await caller.get(path).expect(200);
  return (body as { id: string }[]).find((each) => each.id === id);
}

async function accepted(recordUrl: RecordUrl, write: Writing) {
  const { status, body } = await write;
  const stored = await read(recordUrl);
  expect([status, body]).toEqual([201, stored.body]);
  return stored;
}

async function issuesOf(write: Writing) {
  const { status, body } = await write;
  expect(status).toBe(422);
  return (body as { errors: { pointer: string; code: string }[] }).errors;
}

test("these round-trip tests cover every kind of record with a PATCH, except reports", () => {
  const changeable = api.endpoints.filter(({ method }) => method === "PATCH").map((endpoint) => endpoint.path);
  const walked = roundTripRecords.map(({ path }) => `${path.replace("{proxy}", "{id}")}/`);
  const left = changeable.filter((path) => !walked.includes(path.slice(0, path.lastIndexOf("/") + 1)));
  expect(left).toEqual(["/v1/reports/{id}"]);
});

const proxy = await caller.post("/v1/proxies").send(testProxyBody).expect(201);
/** Outside of CI, each test that writes a single field gets another sixth of the fields. Other tests write all fields of a record in one request. */
const shareForNextTest = createTestCaseDivider();

describe.each(roundTripRecords)("$name", (record) => {
  const path = record.path.replace("{proxy}", (proxy.body as { id: string }).id);
  const fields = listRoundTripFields(record);
  const changed = fields.filter(({ setBy }) => setBy !== "creation");
  const optional = fields.filter(({ byDefault }) => byDefault !== undefined);
  const required = fields.filter(({ byDefault }) => byDefault === undefined);
  const { observedFields, keptDefaults = {}, serverFields, ignoredFields = [] } = record.rules;
  const completeBody: FieldValues = Object.fromEntries(
    fields.filter(({ setBy }) => setBy !== "change").map(({ name, first }) => [name, first]),
  );
  const { whenLeast = {} } = record;
  const minimalBody: FieldValues = Object.fromEntries(
    required.map(({ name, first }) => [name, whenLeast[name] ?? first]),
  );
  const defaults = Object.fromEntries(optional.map(({ name, byDefault }) => [name, byDefault]));
  const completed: FieldValues = { ...minimalBody, ...defaults, ...whenLeast };
  const secondOf = ({ name, second, withSecond }: RoundTripField): FieldValues => ({ ...withSecond, [name]: second });
  const writtenOf = ({ body }: { readonly body: FieldValues }) =>
    Object.fromEntries(fields.map(({ name }) => [name, body[name]]));

  const post = (sent: FieldValues) => caller.post(path).send(sent);
  async function create(body = completeBody) {
    const response = await post(body);
    expect([response.status, response.body]).toEqual([201, expect.objectContaining(body)]);
    const recordUrl = { path, id: (response.body as { id: string }).id };
    const url = `${path}/${recordUrl.id}`;
    onTestFinished(async () => void (await caller.delete(url).expect(204)));
    const stored = await read(recordUrl);
    expect(response.body).toMatchObject(stored.body);
    const patch = (sent: FieldValues) => caller.patch(url).send(sent);
    const put = record.hasPut ? (sent: FieldValues) => caller.put(url).send(sent) : null;
    return { recordUrl, url, stored, patch, put, writes: put === null ? [patch] : [patch, put] };
  }

  test("responses contain all declared fields of a record in their order", async () => {
    const { recordUrl, stored } = await create();
    expect(Object.keys(stored.body)).toEqual(Object.keys(record.answer.shape));
    expect(await readInList(recordUrl)).toEqual(stored.body);
  });

  test.each(shareForNextTest(changed, 6))(
    "PATCH changes the field $name, and the record and its list show the new value",
    async (field) => {
      const { recordUrl, stored, patch } = await create();
      const patched = await accepted(recordUrl, patch(secondOf(field)));
      expect(writtenOf(patched)).toEqual({ ...writtenOf(stored), ...secondOf(field) });
      expect(patched.etag).not.toBe(stored.etag);
      expect(await readInList(recordUrl)).toEqual(patched.body);
    },
  );

  test.each(shareForNextTest(optional, 6))("null in a PATCH resets the field $name to its default", async (field) => {
    const { name, first, withDefault, byDefault } = field;
    const { recordUrl, stored, patch } = await create();
    const other = isDeepStrictEqual(first, byDefault) ? secondOf(field) : {};
    const before = await accepted(recordUrl, patch(other));
    expect(before.body[name]).not.toEqual(byDefault);
    const after = await accepted(recordUrl, patch({ ...withDefault, [name]: null }));
    expect(writtenOf(after)).toEqual({ ...writtenOf(stored), ...withDefault, [name]: byDefault });
  });

  test.each(record.hasPut ? shareForNextTest(changed, 6) : [])(
    "PUT changes the field $name, unless probes observe it",
    async (field) => {
      const { name, first, second } = field;
      const { recordUrl, patch, put } = await create();
      const patched = await accepted(recordUrl, patch(secondOf(field)));
      expect(await accepted(recordUrl, put!(patched.body))).toEqual(patched);
      const { body } = await accepted(recordUrl, put!({ ...completeBody, [name]: first }));
      expect(body[name]).toEqual(observedFields.includes(name) ? second : first);
    },
  );

  test("POST sets missing fields to their defaults", async () => {
    const { stored } = await create(minimalBody);
    expect(writtenOf(stored)).toEqual(completed);
  });

  test.each(record.hasPut ? [minimalBody] : [])("PUT keeps or resets each missing field as declared", async (body) => {
    const { recordUrl, patch, put } = await create();
    const later = Object.assign({}, ...changed.filter(({ setBy }) => setBy === "change").map(secondOf)) as FieldValues;
    const { body: before } = await accepted(recordUrl, patch(later));
    const kept = [...observedFields, ...Object.keys(keptDefaults)].map((name) => [name, before[name]]);
    const { body: after } = await accepted(recordUrl, put!(body));
    expect(writtenOf({ body: after })).toEqual({ ...completed, ...Object.fromEntries(kept) });
  });

  test("the API refuses a body without a required field", async () => {
    const { recordUrl, stored, patch, put } = await create();
    for (const { name } of required) {
      const rest = Object.fromEntries(Object.entries(completeBody).filter(([each]) => each !== name));
      for (const write of put === null ? [post] : [post, put])
        expect(await issuesOf(write(rest))).toMatchObject([{ pointer: `/${name}` }]);
      expect(await issuesOf(patch({ [name]: null }))).toMatchObject([{ pointer: `/${name}` }]);
    }
    expect(await read(recordUrl)).toEqual(stored);
  });

  test("a change refuses creation-only fields, and a creation refuses change-only ones", async () => {
    const { recordUrl, stored, writes } = await create();
    for (const { name, second, setBy } of fields.filter((field) => field.setBy !== undefined))
      for (const write of setBy === "change" ? [post] : writes)
        expect(await issuesOf(write({ ...completeBody, [name]: second }))).toMatchObject([{ pointer: `/${name}` }]);
    expect(await read(recordUrl)).toEqual(stored);
  });

  test("a body may repeat the fields that the server sets, but not change them", async () => {
    const { recordUrl, stored, writes } = await create();
    for (const name of serverFields)
      for (const write of writes) {
        expect(await accepted(recordUrl, write({ ...completeBody, [name]: stored.body[name] }))).toEqual(stored);
        const issues = await issuesOf(write({ ...completeBody, [name]: "other" }));
        expect(issues).toMatchObject([{ pointer: `/${name}`, code: "read_only" }]);
      }
    expect(await read(recordUrl)).toEqual(stored);
  });

  test("the API ignores fields in a body that only the service changes", async () => {
    const ignored = Object.fromEntries(ignoredFields.map((name) => [name, "other"]));
    const { recordUrl, stored, writes } = await create();
    for (const write of writes)
      expect(await accepted(recordUrl, write({ ...completeBody, ...ignored }))).toEqual(stored);
  });

  test("a caller without access can neither read nor change a record", async () => {
    const { recordUrl, url, stored } = await create();
    const other = await api.as(
      record.isOwned ? allAuthorities.filter((each) => each !== "REPORTS_ADMIN") : [],
      "other",
    );
    const requests = [other.get(url), other.patch(url).send({}), other.delete(url)];
    if (record.hasPut) requests.push(other.put(url).send(completeBody));
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([record.isOwned ? 404 : 403]));
    const list = await other.get(path);
    expect(list.status).toBe(record.isOwned ? 200 : 403);
    expect(JSON.stringify(list.body)).not.toContain(recordUrl.id);
    expect(await read(recordUrl)).toEqual(stored);
  });
});

/** For each option, a value other than the default. The format is included if only that format supports the option. */
const options: Readonly<Record<keyof typeof startOptionDeclarations, FieldValues>> = {
  format: { format: "ndjson" },
  csvBom: { csvBom: false, format: "csv" },
  compression: { compression: "gzip", format: "csv" },
  columns: { columns: ["address", "name"] },
  sort: { sort: ["-port", "name"] },
  groupBy: { groupBy: "region" },
  timezone: { timezone: "Asia/Kathmandu" },
  locale: { locale: "nl" },
  language: { language: "pl" },
  paper: { paper: "LETTER" },
  orientation: { orientation: "landscape" },
  accessible: { accessible: true },
  keepRows: { keepRows: true },
  title: { title: "Renamed" },
};
/** The options in one body per format. `default` stands for the default format. */
const bodies = [...Map.groupBy(Object.values(options), ({ format }) => format ?? "default")].map(
  ([format, given]): readonly [unknown, FieldValues] => [format, Object.assign({}, ...given) as FieldValues],
);

describe("options", () => {
  async function optionsOf(id: string) {
    const recordUrl = { path: "/v1/reports", id };
    const { body } = await read(recordUrl);
    expect(await readInList(recordUrl)).toEqual(body);
    return { ...body, ...(body["options"] as FieldValues) };
  }

  test.each(bodies)(
    "the options of a start with the format %s are stored in reports, schedules and their reports",
    async (format, given) => {
      const started = await caller.post("/v1/reports").send({ reportType: "PROXY", ...given });
      expect(started.status).toBe(202);
      const { id } = started.body as { id: string };
      expect(await optionsOf(id)).toMatchObject(given);
      const inText = Object.entries(given).map(([each, value]) => `${each}=${encodeURIComponent(String(value))}`);
      const byQuery = await caller.get(`/v1/report?reportType=PROXY&${inText.join("&")}`).expect(202);
      expect(await optionsOf((byQuery.body as { id: string }).id)).toMatchObject(given);

      const schedule = { name: `Format ${String(format)}`, reportType: "PROXY", cron: "0 0 1 1 *", options: given };
      const created = await caller.post("/v1/report-schedules").send(schedule).expect(201);
      const recordUrl = { path: "/v1/report-schedules", id: (created.body as { id: string }).id };
      onTestFinished(async () => void (await caller.delete(`${recordUrl.path}/${recordUrl.id}`).expect(204)));
      expect((await read(recordUrl)).body).toMatchObject({ options: given });
      const run = await caller.post(`${recordUrl.path}/${recordUrl.id}/fires`).send({}).expect(201);
      expect(await optionsOf((run.body as { reportId: string }).reportId)).toMatchObject(given);
    },
  );
});
