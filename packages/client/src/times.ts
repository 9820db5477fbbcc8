/** @public For callers that let people type times. */
export {
  parseTime,
  parseTimeRange,
  parseTimeRangeEnd,
  type Parsed,
  type ParseTimeOptions,
  type TimeRange,
} from "./times/parse-time.ts";
/** @public For callers that show times to people. */
export { describeTime, describeTimeRange, type DescribeTimeOptions } from "./times/describe-time.ts";
