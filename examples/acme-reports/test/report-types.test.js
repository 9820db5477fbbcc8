// In JavaScript, so that it runs on every Node that the package supports without a build of its own.
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkReportTypes } from "@reports/core/testing";
import reportTypes from "../dist/index.js";

test("both types fit the gateway, and render in every format", async () => {
  await checkReportTypes(reportTypes);
});
