export {
  parseTime,
  parseTimeRange,
  parseTimeRangeEnd,
  type Parsed,
  type ParseTimeOptions,
  type TimeRange,
} from "./times/parse-time.ts";
export { describeTime, describeTimeRange, type DescribeTimeOptions } from "./times/describe-time.ts";
