import { DomainError, type InputIssue } from "../base/errors.ts";
import { invalidInput } from "../base/list-issues.ts";
import type { IdMaker } from "../base/file-store.ts";
import type { CollectionRecord } from "./collection-definition.ts";
import { readInput, readPatch, readReplacement, type InputResult, type InputRules } from "./collection-input.ts";
import type { CollectionStore, RecordPlace, Stored } from "./collection-store.ts";
import { isSameVersion, versionAfter } from "./record-version.ts";

/** Throws when the caller's condition on the stored version does not hold. */
export type Precondition = (stored: Stored<unknown>) => void;

/** How often a change without a condition starts again because another writer came first. */
const maxAttempts = 10;

interface Deps<Rec extends CollectionRecord, Input> {
  readonly singular: string;
  readonly store: CollectionStore<Rec, Input>;
}

/** Reads one record. Rejects with DomainError: not-found for one that never was (or not under this parent), gone for a deleted one. */
export async function findRecord<Rec extends CollectionRecord, Input>(
  { store, singular }: { readonly singular: string; readonly store: Pick<CollectionStore<Rec, Input>, "find"> },
  place: RecordPlace,
): Promise<Stored<Rec>> {
  const stored = await store.find(place);
  if (stored === null) throw recordNotFound(singular);
  if (stored.deletedAt !== null) throw recordGone(singular);
  return stored;
}

/** Creates a record out of a parsed body. Rejects with DomainError("invalid") with every problem. */
export async function createRecord<Rec extends CollectionRecord, Input>(
  deps: Deps<Rec, Input> & { readonly newId: IdMaker },
  rules: InputRules<Input>,
  parent: { readonly parentId: string | null; readonly field: string | undefined },
  body: unknown,
): Promise<Stored<Rec>> {
  const known = parent.field === undefined ? {} : { [parent.field]: parent.parentId };
  const input = validInput(deps.singular, readInput(rules, body, known));
  return deps.store.create({ id: deps.newId(), parentId: parent.parentId }, input);
}

/**
 * Replaces a record by a complete body, except what is observed, which stays. What changes nothing is not written.
 * Rejects as findRecord does, with what the condition throws, and with DomainError("invalid").
 */
export function replaceRecord<Rec extends CollectionRecord, Input>(
  deps: Deps<Rec, Input>,
  rules: InputRules<Input>,
  place: RecordPlace,
  body: unknown,
  precondition: Precondition,
): Promise<Stored<Rec>> {
  return change(deps, rules, place, precondition, ({ record, configuredAt }) =>
    readReplacement(rules, body, fieldsOf(record), configuredAt),
  );
}

/** Applies a JSON merge patch (RFC 7396) to a record, observed fields included. What changes nothing is not written. Rejects as replaceRecord does. */
export function patchRecord<Rec extends CollectionRecord, Input>(
  deps: Deps<Rec, Input>,
  rules: InputRules<Input>,
  place: RecordPlace,
  patch: unknown,
  precondition: Precondition,
): Promise<Stored<Rec>> {
  return change(deps, rules, place, precondition, ({ record, configuredAt }) =>
    readPatch(rules, patch, fieldsOf(record), configuredAt),
  );
}

/** Removes a record; one that is removed already is a success. Rejects with DomainError("not-found") and with what the condition throws. */
export async function removeRecord<Rec extends CollectionRecord, Input>(
  { store, singular }: Deps<Rec, Input>,
  place: RecordPlace,
  precondition: Precondition,
): Promise<void> {
  await retryConflicts(singular, async () => {
    const stored = await store.find(place);
    if (stored === null) throw recordNotFound(singular);
    if (stored.deletedAt !== null) return true;
    precondition(stored);
    return (await store.remove(place, stored.version)) || null;
  });
}

/** The error for a record that is not there: always the same. */
export function recordNotFound(singular: string): DomainError {
  return new DomainError("not-found", "record-not-found", `There is no such ${singular}.`);
}

/** The error for a record that was deleted. */
export function recordGone(singular: string): DomainError {
  return new DomainError("gone", "record-deleted", `The ${singular} was permanently deleted.`);
}

/** The error for an input that breaks rules, with all of them. */
export function invalidRecord(singular: string, issues: readonly InputIssue[]): DomainError {
  return invalidInput("invalid", "invalid-record", `The ${singular} cannot be stored`, issues);
}

/** Returns the input that was read. Throws invalidRecord with everything that is wrong with it. */
export function validInput<Input>(singular: string, result: InputResult<Input>): Input {
  if (result.ok) return result.input;
  throw invalidRecord(singular, result.issues);
}

async function change<Rec extends CollectionRecord, Input>(
  deps: Deps<Rec, Input>,
  rules: InputRules<Input>,
  place: RecordPlace,
  precondition: Precondition,
  read: (stored: Stored<Rec>) => InputResult<Input>,
): Promise<Stored<Rec>> {
  return retryConflicts(deps.singular, async () => {
    const stored = await findRecord(deps, place);
    precondition(stored);
    const input = validInput(deps.singular, read(stored));
    const next = versionAfter(rules, stored, input);
    return isSameVersion(next, stored.version) ? stored : deps.store.replace(place, stored.version, next, input);
  });
}

/** Runs the attempt again while it comes back with null, because another writer was faster. Conditions are evaluated again each time. */
async function retryConflicts<T>(singular: string, attempt: () => Promise<T | null>): Promise<T> {
  for (let attempts = 0; attempts < maxAttempts; attempts++) {
    const outcome = await attempt();
    if (outcome !== null) return outcome;
  }
  throw new DomainError(
    "unavailable",
    "too-much-contention",
    `Concurrent changes to the ${singular} kept conflicting; try again.`,
    {
      retryAfterSeconds: 1,
    },
  );
}

function fieldsOf(record: CollectionRecord): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record));
}
