export {
  toKeysetAnchor,
  maxExactRecordCount,
  type CollectionPage,
  type CollectionQuery,
  type KeysetPosition,
} from "./query/collection-query.ts";
export { isDay } from "./query/day.ts";
export { maxDecimalDigits, normaliseDecimal } from "./query/decimal.ts";
export { filterValueHandlers } from "./query/filter-value-handlers.ts";
export type { Filter, FilterOperator, FilterValue, FilterValueKind, SearchParam } from "./query/filters.ts";
export { parseHostname } from "./query/hostname.ts";
export { idField } from "./query/id-field.ts";
export { badCursorError, badCursorIssue, invalidQueryError, queryTooLongError } from "./query/invalid-query.ts";
export { describeUnknownName, describeAllowedNames } from "./query/nearest-name.ts";
export {
  describeAllowedFilterValue,
  isSingleValueFilter,
  maxValuesPerFilter,
  parseFilters,
} from "./query/parse-filters.ts";
export { dependsOnTimezone, resolveRelativeDay, resolveRelativeTime } from "./query/relative-time.ts";
export { repeatedParameterIssue } from "./query/repeated-parameter.ts";
export { parseSortKey, type SortKey } from "./query/sort-key.ts";
export { normaliseTimestamp } from "./query/timestamp.ts";
export { timezoneField } from "./query/timezone-field.ts";
export { uuidPattern } from "./query/uuid-pattern.ts";
