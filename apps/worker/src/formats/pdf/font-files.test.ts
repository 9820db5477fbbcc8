import { HostFailureError } from "@reports/core/base";
import { expect, it } from "vitest";
import { fontOfFace } from "./font-files.ts";

it("a font that cannot be read here is a failure of the host, and not of the report", () => {
  expect(() => fontOfFace(99)).toThrow(HostFailureError);
});
