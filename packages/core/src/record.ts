// The framework of collections: definition, input, versions, use cases and the store.

export {
  answeredFields,
  newestFirst,
  type CollectionDefinition,
  type CollectionRecord,
  type CollectionView,
} from "./record/collection-definition.ts";
export { readInput, type InputRules } from "./record/collection-input.ts";
export {
  createRecord,
  findRecord,
  invalidRecord,
  patchRecord,
  recordGone,
  recordNotFound,
  removeRecord,
  replaceRecord,
} from "./record/collection-records.ts";
export type { CollectionStore, ListedRecord, RecordPlace, Stored } from "./record/collection-store.ts";
export type { RecordTable } from "./record/record-table.ts";
export { storedFields } from "./record/field.ts";
export { firstVersion, type RecordVersion } from "./record/record-version.ts";
