import { builtInRegistrations, builtInReportTypes, type ReportTypeDefinition } from "@reports/core/report";
import {
  firstRecordVersion,
  newestFirstSort,
  recordGoneError,
  recordNotFoundError,
  type CollectionDefinition,
  type CollectionRecord,
  type CollectionStore,
  type RecordInputRules,
  type RecordVersion,
  type StoredRecord,
} from "@reports/core/record";
import { maxExactRecordCount } from "@reports/core/query";
import { newId } from "@reports/runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { startApiUnderTest, type ApiUnderTest } from "../test/api-under-test.ts";
import type { OwnedCollection, OwnedRecordWithId } from "./owned-collection.ts";

interface Datacenter extends CollectionRecord {
  readonly name: string;
  readonly degrees: number | null;
  readonly createdAt: Date;
  /** A field of the stored record that the response schema lacks, so no response may contain it. */
  readonly rootCause: string;
}
interface DatacenterInput {
  readonly name: string;
  readonly degrees: number | null;
}

const rules: RecordInputRules<DatacenterInput> = {
  schema: z.strictObject({
    name: z.string("must be text").min(1, "must not be empty"),
    degrees: z.number().nullable().default(null),
  }),
  fields: ["name", "degrees"],
  serverFields: ["id", "createdAt"],
  observedFields: ["degrees"],
};

const datacenters: CollectionDefinition<DatacenterInput> = {
  name: "datacenters",
  singular: "datacenter",
  title: "Datacenters",
  description: "Where racks stand.",
  schema: z
    .strictObject({ id: z.uuid(), name: z.string(), degrees: z.number().nullable(), createdAt: z.iso.datetime() })
    .meta({ id: "Datacenter" }),
  rules,
  filters: [{ name: "name", operator: "in", value: "text", columns: ["name"], description: "Names." }],
  sortable: ["name", "createdAt"],
  defaultSort: newestFirstSort,
  authorities: { read: "DATACENTER_READ", write: "DATACENTER_WRITE" },
  example: { name: "fra-1" },
};

const rootCause = "an admin's password was 1234";

let counted = 0;

function createMemoryStore(): CollectionStore<Datacenter, DatacenterInput> {
  const stored = new Map<string, StoredRecord<Datacenter>>();
  const put = (id: string, version: RecordVersion, record: Datacenter, deletedAt: Date | null = null) => {
    const entry = { record, version, configuredAt: record.createdAt, deletedAt };
    stored.set(id, entry);
    return entry;
  };
  return {
    list: async ({ count }) => ({
      items: [...stored.values()].filter(({ deletedAt }) => deletedAt === null).map(({ record }) => record),
      next: null,
      total: count ? counted : null,
    }),
    find: async ({ id }) => stored.get(id) ?? null,
    create: async ({ id }, input) => put(id, firstRecordVersion, { ...input, id, createdAt: new Date(), rootCause }),
    replace: async ({ id }, from, to, input) => {
      const before = stored.get(id);
      return before?.version === from ? put(id, to, { ...before.record, ...input }) : null;
    },
    remove: async ({ id }, version) => put(id, version, stored.get(id)!.record, new Date()) !== null,
  };
}

interface Note extends OwnedRecordWithId {
  readonly text: string;
  readonly revision: number;
}

const noteInput = z.strictObject({ text: z.string() }).meta({ id: "NoteInput" });
const notes = new Map<string, Note>();

const notesCollection: OwnedCollection<Note> = {
  name: "notes",
  operation: "Note",
  tag: { name: "Notes", description: "Notes of callers." },
  records: {
    singular: "note",
    authority: "NOTES_WRITE",
    find: async (id) => notes.get(id) ?? null,
    notFound: () => recordNotFoundError("note"),
    gone: () => recordGoneError("note"),
    auditOf: ({ owner }) => ({ owner }),
  },
  schema: z.strictObject({ id: z.uuid(), owner: z.string(), text: z.string() }).meta({ id: "Note" }),
  view: { filters: [], sortable: ["createdAt"], defaultSort: newestFirstSort },
  etag: "Changes with every change.",
  toValidators: ({ revision }) => ({ etag: `"${revision}"` }),
  show: ({ id, owner, text }) => ({ id, owner, text }),
  list: {
    summary: "Lists notes",
    description: "The caller's own.",
    page: async ({ owner }) => {
      const items = [...notes.values()].filter(
        (note) => note.deletedAt === null && (owner === null || note.owner === owner),
      );
      return { items, next: null, total: null };
    },
  },
  read: { summary: "Reads a note", description: "For its owner." },
  create: {
    summary: "Creates a note",
    description: "In the caller's name.",
    body: { schema: noteInput, example: { text: "One" } },
    answer: {
      description: "The note with its key.",
      schema: z.strictObject({ id: z.uuid(), owner: z.string(), text: z.string(), key: z.string() }),
    },
    invalid: "The text is missing.",
    async apply({ body, principal }) {
      const { text } = noteInput.parse(body);
      const note = { id: newId(), owner: principal.id, text, revision: 1, deletedAt: null };
      notes.set(note.id, note);
      return { record: note, shownOnce: { key: "shown once" } };
    },
  },
  change: { answer: "The note as it is now.", invalid: "A field is wrong." },
  patch: {
    summary: "Changes a note",
    description: "A JSON merge patch.",
    body: { schema: noteInput.partial(), example: { text: "Two" } },
    async apply({ record, body }, precondition) {
      precondition(record);
      const changed = {
        ...record,
        ...(noteInput.partial().parse(body) as { text: string }),
        revision: record.revision + 1,
      };
      notes.set(record.id, changed);
      return { record: changed };
    },
  },
  remove: {
    summary: "Deletes a note",
    description: "Repeating it changes nothing.",
    async apply(record, precondition) {
      if (record.deletedAt !== null) return;
      precondition(record);
      notes.set(record.id, { ...record, deletedAt: new Date() });
    },
  },
};

const rackType: ReportTypeDefinition = { ...builtInReportTypes[0]!, type: "RACK", title: "Racks" };

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApiUnderTest({
    collections: [{ definition: datacenters, store: createMemoryStore() }, notesCollection],
    reportTypes: [...builtInRegistrations.reportTypes, { definition: rackType, authority: "REPORT_RACK" }],
  });
});
afterAll(async () => api[Symbol.asyncDispose]());

describe("a collection from a definition and a store", () => {
  test("the endpoints of a defined collection return the documented statuses", async () => {
    const agent = await api.as(["DATACENTER_READ", "DATACENTER_WRITE"]);
    const created = await agent.post("/v1/datacenters").send({ name: "fra-1" }).expect(201);
    const path = created.headers["location"]!;
    const answers = [
      await agent.get("/v1/datacenters?name=fra-1"),
      await agent.head(path),
      await agent.put(path).send({ name: "fra-2" }),
      await agent.patch(path).send({ name: "fra-3" }),
      await agent.patch(path).set("If-Match", '"1-0"').send({ name: "fra-4" }),
      await agent.put(path).send({ nam: "fra-5" }),
      await agent.get("/v1/datacenters?nam=fra-1"),
      await agent.post(path),
      await agent.delete(path),
      await agent.delete(path),
      await agent.get(path),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 201, 201, 412, 422, 400, 405, 204, 204, 410]);
  });

  test("no response shows a field of the store that the schema does not contain", async () => {
    const agent = await api.as(["DATACENTER_READ", "DATACENTER_WRITE"]);
    const created = await agent.post("/v1/datacenters").send({ name: "ams-1" }).expect(201);
    const path = created.headers["location"]!;
    const answers = [
      created,
      await agent.get(path).expect(200),
      await agent.get("/v1/datacenters").expect(200),
      await agent.put(path).send({ name: "ams-2" }).expect(201),
      await agent.patch(path).send({ name: "ams-3" }).expect(201),
    ];
    const records = answers.flatMap(({ body }) => (Array.isArray(body) ? body : [body]) as object[]);
    for (const record of records) expect(Object.keys(record)).toEqual(["id", "name", "degrees", "createdAt"]);
  });

  test("PUT keeps fields that are declared as observed, and If-Match ignores them", async () => {
    const agent = await api.as(["DATACENTER_READ", "DATACENTER_WRITE"]);
    const created = await agent.post("/v1/datacenters").send({ name: "fra-1" }).expect(201);
    const path = created.headers["location"]!;
    const probed = await agent.patch(path).send({ degrees: 21.5 }).expect(201);
    expect([created.headers["etag"], probed.headers["etag"]]).toEqual(['"1-0"', '"1-1"']);
    const written = await agent.put(path).set("If-Match", '"1-0"').send({ name: "fra-2", degrees: 18 }).expect(201);
    expect(written.body).toMatchObject({ name: "fra-2", degrees: 21.5 });
    expect(written.headers["etag"]).toBe('"2-1"');
  });

  test("a total that is a lower bound has another header than an exact total", async () => {
    const agent = await api.as(["DATACENTER_READ"]);
    const headersOf = async (total: number) => {
      counted = total;
      const { headers } = await agent.get("/v1/datacenters?count=exact").expect(200);
      return [headers["x-total-count"], headers["x-total-count-at-least"]];
    };
    expect(await headersOf(maxExactRecordCount)).toEqual(["10000", undefined]);
    expect(await headersOf(maxExactRecordCount + 1)).toEqual([undefined, "10001"]);
    expect((await agent.get("/v1/datacenters")).headers).not.toHaveProperty("x-total-count-at-least");
  });

  test("the endpoints of a defined collection need the authorities of its definition", async () => {
    const reader = await api.as(["DATACENTER_READ"]);
    const stranger = await api.as(["REGISTRY_READ", "REGISTRY_WRITE"]);
    const answers = [
      await reader.get("/v1/datacenters"),
      await reader.post("/v1/datacenters").send({ name: "x" }),
      await stranger.get("/v1/datacenters"),
      await api.anonymous().get("/v1/datacenters"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 403, 401]);
  });

  test("OpenAPI and the documentation page contain a defined collection", async () => {
    const { body } = await api.anonymous().get("/openapi.json").expect(200);
    expect(Object.keys(body.paths["/v1/datacenters"])).toEqual(["get", "post"]);
    expect(Object.keys(body.paths["/v1/datacenters/{id}"])).toEqual(["get", "put", "patch", "delete"]);
    expect(body.components.schemas.Datacenter.properties).toHaveProperty("name");
    expect(body.components.schemas.DatacenterInput.properties).toMatchObject({ name: {}, id: { readOnly: true } });
    const { text } = await api.anonymous().get("/docs");
    expect(text).toContain("/v1/datacenters/{id}");
    expect(text).toContain('<h3 id="type-RACK"><code>RACK</code> Racks</h3>');
  });
});

describe("a collection whose records have owners", () => {
  test("the owner of a record can use each declared method, and gets 405 for others", async () => {
    const owner = await api.as(["NOTES_WRITE"], "writer");
    const created = await owner.post("/v1/notes").send({ text: "One" }).expect(201);
    expect(created.body).toMatchObject({ text: "One", key: "shown once" });
    expect(created.headers).toMatchObject({ etag: '"1"', "cache-control": "no-store" });
    const path = created.headers["location"]!;
    const tag = '"1"';
    const answers = [
      await owner.get("/v1/notes?sort=createdAt"),
      await owner.get("/v1/notes?text=One"),
      await owner.head(path),
      await owner.get(path).set("If-None-Match", tag),
      await owner.patch(path).set("If-Match", '"9"').send({ text: "Two" }),
      await owner.patch(path).set("If-Match", "broken").send({ text: "Two" }),
      await owner.patch(path).set("If-Match", tag).send({ text: "Two" }),
      await owner.put(path).send({ text: "Three" }),
      await owner.delete(path).set("If-Match", tag),
      await owner.delete(path),
      await owner.delete(path),
      await owner.get(path),
    ];
    const statuses = [200, 400, 200, 304, 412, 400, 201, 405, 412, 204, 204, 410];
    expect(answers.map(({ status }) => status)).toEqual(statuses);
    expect(answers[6]!.body).toMatchObject({ text: "Two" });
    const audited = api.lines.filter(({ audit, recordType }) => audit === true && recordType === "note");
    const id = created.body.id as string;
    expect(audited.filter(({ outcome }) => outcome === "done")).toMatchObject([
      { action: "note.create", recordId: id, owner: "https://issuer.example|writer" },
      { action: "note.patch", recordId: id, owner: "https://issuer.example|writer" },
      { action: "note.delete", recordId: id, owner: "https://issuer.example|writer" },
      { action: "note.delete", recordId: id, owner: "https://issuer.example|writer" },
    ]);
  });

  test("callers other than the owner get 404 for a record; administrators can read it", async () => {
    const owner = await api.as(["NOTES_WRITE"], "writer");
    const created = await owner.post("/v1/notes").send({ text: "Mine" }).expect(201);
    const path = created.headers["location"]!;
    const other = await api.as(["NOTES_WRITE"], "other");
    const administrator = await api.as(["NOTES_WRITE", "REPORTS_ADMIN"], "administrator");
    const powerless = await api.as(["REPORTS_ADMIN"], "administrator");
    const statusesOf = async (caller: typeof owner) => [
      (await caller.get(path)).status,
      (await caller.patch(path).send({ text: "Theirs" })).status,
    ];
    expect(await statusesOf(other)).toEqual([404, 404]);
    expect((await other.delete(path)).status).toBe(404);
    expect(await statusesOf(powerless)).toEqual([403, 403]);
    expect(await statusesOf(administrator)).toEqual([200, 201]);
    const textsOf = async (caller: typeof owner) =>
      ((await caller.get("/v1/notes").expect(200)).body as { text: string }[]).map(({ text }) => text);
    expect(await textsOf(other)).toEqual([]);
    expect(await textsOf(owner)).toEqual(["Theirs"]);
    expect(await textsOf(administrator)).toEqual(["Theirs"]);
  });
});

describe("a registered report type", () => {
  test("a registered type is in the catalogue and OpenAPI, and needs its authority", async () => {
    const holder = await api.as(["REPORT_RACK"]);
    const other = await api.as(["REPORT_PROXY"]);
    expect((await holder.get("/v1/report-types/RACK").expect(200)).body).toMatchObject({ authority: "REPORT_RACK" });
    const start = { reportType: "RACK", format: "csv" };
    const answers = [
      await holder.post("/v1/reports").send(start),
      await holder.get("/v1/report").query(start),
      await other.post("/v1/reports").send(start),
      await other.get("/v1/report").query(start),
    ];
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 403, 403]);
    const { body } = await api.anonymous().get("/openapi.json");
    expect(body.components.parameters.reportType.schema.enum).toContain("RACK");
    expect(body.components.schemas.ReportStart.discriminator.mapping).toHaveProperty("RACK");
    expect(body.components.schemas.RackReportStart.properties.reportType.enum).toEqual(["RACK"]);
  });
});
