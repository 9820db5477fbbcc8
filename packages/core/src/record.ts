export {
  responseFieldNames,
  newestFirstSort,
  type CollectionDefinition,
  type CollectionRecord,
  type CollectionView,
} from "./record/collection-definition.ts";
export { readInput, readPatch, readReplacement, type InputRules } from "./record/collection-input.ts";
export {
  createRecord,
  findRecord,
  invalidRecord,
  patchRecord,
  recordGone,
  recordNotFound,
  removeRecord,
  replaceRecord,
  inputOrThrow,
} from "./record/collection-records.ts";
export type { CollectionStore, ListedRecord, RecordPath, StoredRecord } from "./record/collection-store.ts";
export type { RecordTable } from "./record/record-table.ts";
export { defineRecord } from "./record/define-record.ts";
export { sameSchema, id, text, time } from "./record/field-kinds.ts";
export { ignored, required, server, storedFieldNames, type Fields, type RecordOf } from "./record/field.ts";
export type { OwnedDefinition, OwnedRow, OwnedRowStore } from "./record/owned-definition.ts";
export { firstVersion, type RecordVersion } from "./record/record-version.ts";
