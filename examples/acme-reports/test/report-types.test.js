// Plain JavaScript, so that every supported version of Node runs this test without a build.
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkReportTypes } from "@reports/core/testing";
import reportTypes from "../dist/index.js";

const stockLevel = reportTypes.reportTypes.find(({ definition }) => definition.type === "STOCK_LEVEL").definition;

async function rowsOf(searchParam) {
  const request = { searchParam, sort: [], timezone: "UTC", signal: new AbortController().signal };
  const rows = [];
  for await (const row of stockLevel.rows.rows(request)) rows.push(row);
  return rows;
}

test("both report types are valid, and STOCK_LEVEL honours all filters and sorts", async () => {
  await checkReportTypes(reportTypes, {
    searchParams: {
      STOCK_LEVEL: [{}, { warehouse: ["OSLO"], onHandTo: 20 }, { q: "washer" }, { warehouse: ["OSLO", "PORTO"] }],
    },
  });
});

test("STOCK_LEVEL returns rows with the searched text and fewer pieces than onHandTo", async () => {
  const rows = await rowsOf({ q: "WASHER", onHandTo: 20 });
  assert.ok(rows.length > 0);
  assert.ok(rows.every(({ article, onHand }) => article.startsWith("Washer") && onHand < 20));
});

test("a closed warehouse fails the report, and a moving warehouse postpones it", async () => {
  await assert.rejects(rowsOf({ warehouse: ["CLOSED"] }), { name: "PermanentReportError", code: "INVALID_DATA" });
  await assert.rejects(rowsOf({ warehouse: ["MOVING"] }), { name: "StoreUnavailableError" });
});
