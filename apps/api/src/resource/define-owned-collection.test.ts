import {
  sameSchemaKind,
  defineRecord,
  id,
  ignoredField,
  required,
  serverSetField,
  text,
  time,
  type StoredOwnedRecord,
  type OwnedRecordStore,
} from "@reports/core/record";
import { newId } from "@reports/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { startApiUnderTest, type ApiUnderTest } from "../test/api-under-test.ts";
import { defineOwnedCollection } from "./define-owned-collection.ts";

const definition = {
  name: "labels",
  singular: "label",
  title: "Labels",
  description: "Labels of callers.",
  record: defineRecord(
    { id: "Label", description: "A label." },
    {
      id: serverSetField(id()),
      owner: serverSetField(sameSchemaKind(z.string())),
      words: required(text(20)),
      createdAt: serverSetField(time()),
      updatedAt: ignoredField(time()),
    },
  ),
  filters: [],
  sortable: ["createdAt"],
  authority: "LABELS_WRITE",
  mostPerOwner: 2,
  example: { words: "One" },
};

function createMemoryStore(): OwnedRecordStore {
  const rows = new Map<string, StoredOwnedRecord>();
  const put = (row: StoredOwnedRecord): StoredOwnedRecord => {
    rows.set(row.id, row);
    return row;
  };
  const active = (owner: string | null) =>
    [...rows.values()].filter((row) => row.deletedAt === null && (owner === null || row.owner === owner));
  return {
    list: async ({ owner }) => ({ items: active(owner), next: null, total: null }),
    find: async (one) => rows.get(one) ?? null,
    async create(key, input) {
      if (active(key.owner).length >= definition.mostPerOwner) return null;
      const now = new Date();
      return put({ ...input, ...key, revision: 1, createdAt: now, updatedAt: now, deletedAt: null });
    },
    async change(one, inputOf) {
      const stored = rows.get(one)!;
      return put({ ...stored, ...inputOf(stored), revision: stored.revision + 1 });
    },
    async remove(one, precondition) {
      const stored = rows.get(one)!;
      if (stored.deletedAt !== null) return;
      precondition(stored);
      put({ ...stored, deletedAt: new Date() });
    },
  };
}

let api: ApiUnderTest;
beforeAll(async () => {
  const described = { definition, store: createMemoryStore() };
  api = await startApiUnderTest({ collections: [defineOwnedCollection({ newId }, described)] });
});
afterAll(async () => api[Symbol.asyncDispose]());

test("endpoints made by defineOwnedCollection return the documented statuses", async () => {
  const owner = await api.as(["LABELS_WRITE"], "owner");
  const created = await owner.post("/v1/labels").send({ words: "One" }).expect(201);
  const path = created.headers["location"]!;
  expect(Object.keys(created.body as object)).toEqual(["id", "owner", "words", "createdAt", "updatedAt"]);
  const other = await api.as(["LABELS_WRITE"], "other");
  const powerless = await api.as([], "owner");
  const answers = [
    await owner.get("/v1/labels"),
    await other.get(path),
    await powerless.get(path),
    await powerless.get("/v1/labels"),
    await powerless.post("/v1/labels").send({ words: "Zero" }),
    await owner.put(path).send({ words: "Two" }),
    await owner.patch(path).set("If-Match", '"1-0"').send({ words: "Three" }),
    await owner.patch(path).set("If-Match", '"2-0"').send({ words: "Three" }),
    await owner.patch(path).send({ words: null }),
    await owner.put(path).send({ owner: "eve" }),
    await owner.post("/v1/labels").send({ words: "Four" }),
    await owner.post("/v1/labels").send({ words: "Five" }),
    await owner.delete(path),
    await owner.delete(path),
    await owner.get(path),
  ];
  const statuses = [200, 404, 403, 403, 403, 201, 412, 201, 422, 422, 201, 422, 204, 204, 410];
  expect(answers.map(({ status }) => status)).toEqual(statuses);
  expect(answers[7]!.body).toMatchObject({ words: "Three" });
  expect(answers[11]!.body).toMatchObject({ detail: expect.stringContaining("Delete one first.") });
});
