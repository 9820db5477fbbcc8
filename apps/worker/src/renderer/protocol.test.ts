import { HostFailureError, PermanentReportError, StoreLimitError, StoreUnavailableError } from "@reports/core/base";
import { expect, test } from "vitest";
import { packError, unpackError } from "./protocol.ts";

/** The errors of another copy of core, as a package of report types may bring one along. */
const copy = new URL("../../../../packages/core/src/base/errors.ts?another-copy", import.meta.url).href;
const other = (await import(/* @vite-ignore */ copy)) as Record<
  "PermanentReportError" | "StoreUnavailableError",
  new (...values: string[]) => Error
>;
class QuotaError extends PermanentReportError {
  override readonly name = "QuotaError" as never;
}
const overTheChannel = (error: unknown): Error =>
  unpackError(JSON.parse(JSON.stringify(packError(error))) as ReturnType<typeof packError>);

test.each([
  ["ends the report", new other.PermanentReportError("INVALID_DATA", "Wrong."), PermanentReportError, "INVALID_DATA"],
  ["has it tried again", new other.StoreUnavailableError("Away."), StoreUnavailableError, undefined],
  ["counts as a failure", new StoreLimitError("temp_file_limit"), StoreLimitError, undefined],
  ["ends it by another name, too", new QuotaError("OUT_OF_MEMORY", "Full."), PermanentReportError, "OUT_OF_MEMORY"],
  [
    "ends it with a code of ours",
    new other.PermanentReportError("NEW_CODE", "?"),
    PermanentReportError,
    "INVALID_DATA",
  ],
  ["is a fault where it is nothing that is known", new Error("Broken."), Error, undefined],
])("an error of a report type %s, whichever copy of core made it", (_, thrown, known, code) => {
  const received = overTheChannel(thrown);
  expect(received).toBeInstanceOf(known);
  expect((received as { code?: string }).code).toBe(code);
  expect(received.message).toContain(thrown.message);
});

test("what is no error is a fault", () => {
  expect(overTheChannel("no error")).not.toBeInstanceOf(PermanentReportError);
  expect(overTheChannel(undefined).message).toBe("Error: undefined");
});

test("a failure of the host stays one, with its part", () => {
  const received = overTheChannel(new HostFailureError("spool", "EIO"));
  expect(received).toBeInstanceOf(HostFailureError);
  expect(received).toMatchObject({ part: "spool", message: "EIO" });
});
