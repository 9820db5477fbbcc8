import { findChangedFields } from "../base/same-value.ts";
import type { RecordInputRules } from "./collection-input.ts";

/** Version of a record. Every change increments at least one of the two numbers. The record's entity tag contains both. */
export interface RecordVersion {
  /** Incremented by every change of fields that probes do not write. */
  readonly configuration: number;
  /** Incremented by every change of fields that probes write. */
  readonly observations: number;
}

export const firstRecordVersion: RecordVersion = { configuration: 1, observations: 0 };

/** Returns the record's version after a change. Ignores input fields that the stored record lacks: the service derives other fields from them. */
export function toNextRecordVersion(
  { observedFields }: Pick<RecordInputRules<unknown>, "observedFields">,
  stored: { readonly record: object; readonly version: RecordVersion },
  input: unknown,
): RecordVersion {
  const changed = findChangedFields(stored.record, input as object);
  const { configuration, observations } = stored.version;
  return {
    configuration: configuration + Number(changed.some((field) => !observedFields.includes(field))),
    observations: observations + Number(changed.some((field) => observedFields.includes(field))),
  };
}
