import type { IdMaker } from "@reports/core/base";
import {
  invalidRecordError,
  newestFirstSort,
  readRecordInput,
  readRecordPatch,
  readRecordReplacement,
  recordGoneError,
  recordNotFoundError,
  requireValidInputOrThrow,
  type OwnedCollectionDefinition,
  type StoredOwnedRecord,
  type OwnedRecordStore,
} from "@reports/core/record";
import { createRecordInputSchema, createRecordPatchSchema } from "./create-record-input-schema.ts";
import { toPascalCase, toOpenApiTag } from "./collection-with-store.ts";
import type { OwnedUpdateOperation, OwnedCollection } from "./owned-collection.ts";
import { createRecordSerializer, toRecordValidators } from "./record-resource.ts";

export function defineOwnedCollection(
  { newId }: { readonly newId: IdMaker },
  { definition, store }: { readonly definition: OwnedCollectionDefinition; readonly store: OwnedRecordStore },
): OwnedCollection<StoredOwnedRecord> {
  const { name, singular, record, filters, sortable, authority, mostPerOwner, example } = definition;
  const { answer: schema, rules } = record;
  const described = { singular, schema };
  const whole = { schema: createRecordInputSchema(described, rules), example };
  const invalid = "Fields are missing, unknown or wrong; all of them are listed.";

  function changeBy(read: typeof readRecordPatch): OwnedUpdateOperation<StoredOwnedRecord>["apply"] {
    return async ({ record: { id }, body }, precondition) => {
      const changed = await store.change(id, (stored) => {
        precondition(stored);
        return requireValidInputOrThrow(singular, read(rules, body, stored));
      });
      if (changed === null) throw recordGoneError(singular);
      return { record: changed };
    };
  }

  return {
    name,
    operation: toPascalCase(singular),
    tag: toOpenApiTag(definition),
    records: {
      singular,
      ...(authority === undefined ? {} : { authority }),
      find: async (id) => store.find(id),
      notFound: () => recordNotFoundError(singular),
      gone: () => recordGoneError(singular),
      auditOf: ({ owner }) => ({ owner }),
    },
    schema,
    view: { filters, sortable, defaultSort: newestFirstSort },
    etag: `Changes with every change of the ${singular}.`,
    toValidators: ({ revision }) => toRecordValidators({ version: { configuration: revision, observations: 0 } }),
    show: createRecordSerializer(described),
    list: {
      summary: `Lists ${name}, newest first`,
      description: `${definition.description} Callers see their own, and holders of REPORTS_ADMIN all. Link leads to the next page.`,
      page: async (query, signal) => store.list(query, signal),
    },
    read: { summary: `Reads a ${singular}`, description: "For its owner and holders of REPORTS_ADMIN." },
    create: {
      summary: `Creates a ${singular}`,
      description: `It belongs to the caller, who may have ${mostPerOwner}. Fields that are left out take their defaults.`,
      body: whole,
      invalid: `${invalid} Or the caller has ${mostPerOwner} ${name}.`,
      async apply({ body, principal: { id: owner } }) {
        const input = requireValidInputOrThrow(singular, readRecordInput(rules, body));
        const created = await store.create({ id: newId(), owner }, input);
        if (created !== null) return { record: created };
        const message = `The caller has ${mostPerOwner} ${name}. Delete one first.`;
        throw invalidRecordError(singular, [{ code: "too_many", message }]);
      },
    },
    change: { answer: `The whole ${singular} as it is now.`, invalid },
    replace: {
      summary: `Replaces a ${singular}`,
      description: "The body is complete: fields that are left out take their defaults.",
      body: whole,
      apply: changeBy(readRecordReplacement),
    },
    patch: {
      summary: `Changes fields of a ${singular}`,
      description:
        "A JSON merge patch (RFC 7396): fields that are left out stay, null takes a field back to its default.",
      body: {
        schema: createRecordPatchSchema(described, rules),
        example: Object.fromEntries(Object.entries(example).slice(0, 1)),
      },
      apply: changeBy(readRecordPatch),
    },
    remove: {
      summary: `Deletes a ${singular}`,
      description: "You can repeat it: a deleted record stays deleted.",
      apply: async ({ id }, precondition) => store.remove(id, precondition),
    },
  };
}
