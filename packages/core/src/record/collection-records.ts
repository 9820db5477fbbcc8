import { DomainError, type InputIssue } from "../base/errors.ts";
import { isDeepEqual } from "../base/same-value.ts";
import { invalidInputError } from "../base/truncate-issues.ts";
import type { IdMaker } from "../base/file-store.ts";
import type { CollectionRecord } from "./collection-definition.ts";
import {
  readRecordInput,
  readRecordPatch,
  readRecordReplacement,
  type RecordInputParseResult,
  type RecordInputRules,
} from "./collection-input.ts";
import type { CollectionStore, CollectionRecordKey, StoredRecord } from "./collection-store.ts";
import { toNextRecordVersion } from "./record-version.ts";

export type PreconditionAssertion = (stored: StoredRecord<unknown>) => void;

const maxAttempts = 10;

interface RecordDeps<Rec extends CollectionRecord, Input> {
  readonly singular: string;
  readonly store: CollectionStore<Rec, Input>;
}

export async function requireRecordOrThrow<Rec extends CollectionRecord, Input>(
  { store, singular }: { readonly singular: string; readonly store: Pick<CollectionStore<Rec, Input>, "find"> },
  place: CollectionRecordKey,
): Promise<StoredRecord<Rec>> {
  const stored = await store.find(place);
  if (stored === null) throw recordNotFoundError(singular);
  if (stored.deletedAt !== null) throw recordGoneError(singular);
  return stored;
}

export async function createRecord<Rec extends CollectionRecord, Input>(
  deps: RecordDeps<Rec, Input> & { readonly newId: IdMaker },
  rules: RecordInputRules<Input>,
  parent: { readonly parentId: string | null; readonly field: string | undefined },
  body: unknown,
): Promise<StoredRecord<Rec>> {
  const known = parent.field === undefined ? {} : { [parent.field]: parent.parentId };
  const input = requireValidInputOrThrow(deps.singular, readRecordInput(rules, body, known));
  return deps.store.create({ id: deps.newId(), parentId: parent.parentId }, input);
}

export function replaceRecord<Rec extends CollectionRecord, Input>(
  deps: RecordDeps<Rec, Input>,
  rules: RecordInputRules<Input>,
  place: CollectionRecordKey,
  body: unknown,
  precondition: PreconditionAssertion,
): Promise<StoredRecord<Rec>> {
  return changeRecord(deps, rules, place, precondition, ({ record, configuredAt }) =>
    readRecordReplacement(rules, body, fieldsOf(record), configuredAt),
  );
}

export function patchRecord<Rec extends CollectionRecord, Input>(
  deps: RecordDeps<Rec, Input>,
  rules: RecordInputRules<Input>,
  place: CollectionRecordKey,
  patch: unknown,
  precondition: PreconditionAssertion,
): Promise<StoredRecord<Rec>> {
  return changeRecord(deps, rules, place, precondition, ({ record, configuredAt }) =>
    readRecordPatch(rules, patch, fieldsOf(record), configuredAt),
  );
}

export async function removeRecord<Rec extends CollectionRecord, Input>(
  { store, singular }: RecordDeps<Rec, Input>,
  place: CollectionRecordKey,
  precondition: PreconditionAssertion,
): Promise<void> {
  await retryConflicts(singular, async () => {
    const stored = await store.find(place);
    if (stored === null) throw recordNotFoundError(singular);
    if (stored.deletedAt !== null) return true;
    precondition(stored);
    return (await store.remove(place, stored.version)) || null;
  });
}

export function recordNotFoundError(singular: string): DomainError {
  return new DomainError("not-found", "record-not-found", `There is no such ${singular}.`);
}

export function recordGoneError(singular: string): DomainError {
  return new DomainError("gone", "record-deleted", `The ${singular} was permanently deleted.`);
}

export function tooMuchContentionError(singular: string): DomainError {
  const message = `Concurrent changes to the ${singular} kept conflicting; try again.`;
  return new DomainError("unavailable", "too-much-contention", message, { retryAfterSeconds: 1 });
}

export function invalidRecordError(singular: string, issues: readonly InputIssue[]): DomainError {
  return invalidInputError("invalid", "invalid-record", `The ${singular} cannot be stored`, issues);
}

export function requireValidInputOrThrow<Input>(singular: string, result: RecordInputParseResult<Input>): Input {
  if (result.ok) return result.input;
  throw invalidRecordError(singular, result.issues);
}

async function changeRecord<Rec extends CollectionRecord, Input>(
  deps: RecordDeps<Rec, Input>,
  rules: RecordInputRules<Input>,
  place: CollectionRecordKey,
  precondition: PreconditionAssertion,
  read: (stored: StoredRecord<Rec>) => RecordInputParseResult<Input>,
): Promise<StoredRecord<Rec>> {
  return retryConflicts(deps.singular, async () => {
    const stored = await requireRecordOrThrow(deps, place);
    precondition(stored);
    const input = requireValidInputOrThrow(deps.singular, read(stored));
    const next = toNextRecordVersion(rules, stored, input);
    return isDeepEqual(next, stored.version) ? stored : deps.store.replace(place, stored.version, next, input);
  });
}

async function retryConflicts<T>(singular: string, attempt: () => Promise<T | null>): Promise<T> {
  for (let attempts = 0; attempts < maxAttempts; attempts++) {
    const outcome = await attempt();
    if (outcome !== null) return outcome;
  }
  throw tooMuchContentionError(singular);
}

function fieldsOf(record: CollectionRecord): Readonly<Record<string, unknown>> {
  return { ...record };
}
