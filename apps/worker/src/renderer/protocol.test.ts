import { HostFailureError, PermanentReportError, DatabaseLimitError, StoreUnavailableError } from "@reports/core/base";
import { expect, test } from "vitest";
import { serialiseError, deserialiseError } from "./protocol.ts";

/** Another copy of core, as a package of report types may include one. Its error classes are not those of this worker. */
const copy = new URL("../../../../packages/core/src/base/errors.ts?another-copy", import.meta.url).href;
const other = (await import(/* @vite-ignore */ copy)) as Record<
  "PermanentReportError" | "StoreUnavailableError",
  new (...values: string[]) => Error
>;
class QuotaError extends PermanentReportError {
  override readonly name = "QuotaError" as never;
}
const overTheChannel = (error: unknown): Error =>
  deserialiseError(JSON.parse(JSON.stringify(serialiseError(error))) as ReturnType<typeof serialiseError>);

test.each([
  ["fails the report", new other.PermanentReportError("INVALID_DATA", "Wrong."), PermanentReportError, "INVALID_DATA"],
  ["makes it retry", new other.StoreUnavailableError("Away."), StoreUnavailableError, undefined],
  ["counts as a failure", new DatabaseLimitError("temp_file_limit"), DatabaseLimitError, undefined],
  ["fails it under another name", new QuotaError("OUT_OF_MEMORY", "Full."), PermanentReportError, "OUT_OF_MEMORY"],
  ["fails it with a known code", new other.PermanentReportError("NEW_CODE", "?"), PermanentReportError, "INVALID_DATA"],
  ["is unexpected if its class is unknown", new Error("Broken."), Error, undefined],
])("an error thrown by a report type %s, even from another copy of core", (_, thrown, known, code) => {
  const received = overTheChannel(thrown);
  expect(received).toBeInstanceOf(known);
  expect((received as { code?: string }).code).toBe(code);
  expect(received.message).toContain(thrown.message);
});

test("a thrown value that is not an error becomes an unexpected error", () => {
  expect(overTheChannel("no error")).not.toBeInstanceOf(PermanentReportError);
  expect(overTheChannel(undefined).message).toBe("Error: undefined");
});

test("a HostFailureError from a renderer keeps its class and its part, such as spool", () => {
  const received = overTheChannel(new HostFailureError("spool", "EIO"));
  expect(received).toBeInstanceOf(HostFailureError);
  expect(received).toMatchObject({ part: "spool", message: "EIO" });
});
