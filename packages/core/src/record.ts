export {
  responseFieldNames,
  newestFirstSort,
  type CollectionDefinition,
  type CollectionRecord,
  type CollectionListing,
} from "./record/collection-definition.ts";
export { readInput, readPatch, readReplacement, type InputRules } from "./record/collection-input.ts";
export {
  createRecord,
  findRecord,
  invalidRecordError,
  patchRecord,
  recordGoneError,
  recordNotFoundError,
  removeRecord,
  replaceRecord,
  requireValidInput,
} from "./record/collection-records.ts";
export type { CollectionStore, ListedRecord, RecordPath, StoredRecord } from "./record/collection-store.ts";
export type { CsvCellReader } from "./record/csv-cell-reader.ts";
export { defineRecord } from "./record/define-record.ts";
export { sameSchema, id, text, time } from "./record/field-kinds.ts";
export { ignored, required, server, storedFieldNames, type Fields, type RecordOf } from "./record/field.ts";
export type { OwnedCollectionDefinition, OwnedRow, OwnedRowStore } from "./record/owned-collection-definition.ts";
export { firstRecordVersion, type RecordVersion } from "./record/record-version.ts";
