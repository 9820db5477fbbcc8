export {
  listResponseFieldNames,
  newestFirstSort,
  type CollectionDefinition,
  type CollectionRecord,
  type CollectionListDefinition,
} from "./record/collection-definition.ts";
export {
  readRecordInput,
  readRecordPatch,
  readRecordReplacement,
  type RecordInputRules,
} from "./record/collection-input.ts";
export {
  createRecord,
  requireRecordOrThrow,
  invalidRecordError,
  patchRecord,
  recordGoneError,
  recordNotFoundError,
  removeRecord,
  replaceRecord,
  requireValidInputOrThrow,
} from "./record/collection-records.ts";
export type { CollectionStore, ListedRecord, CollectionRecordKey, StoredRecord } from "./record/collection-store.ts";
export type { CsvCellReader } from "./record/csv-cell-reader.ts";
export { defineRecord } from "./record/define-record.ts";
export { sameSchemaKind, id, text, time } from "./record/field-kinds.ts";
export {
  ignoredField,
  required,
  serverSetField,
  storedFieldNames,
  type Fields,
  type RecordOf,
} from "./record/field.ts";
export type {
  OwnedCollectionDefinition,
  StoredOwnedRecord,
  OwnedRecordStore,
} from "./record/owned-collection-definition.ts";
export { firstRecordVersion, type RecordVersion } from "./record/record-version.ts";
