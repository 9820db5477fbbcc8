// In JavaScript, so that it runs on every Node that the package supports without a build of its own.
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

test("the gateway takes both types, and stock levels honour what they are asked for in every order", async () => {
  await checkReportTypes(reportTypes, {
    searchParams: {
      STOCK_LEVEL: [{}, { warehouse: ["OSLO"], onHandTo: 20 }, { q: "washer" }, { warehouse: ["OSLO", "PORTO"] }],
    },
  });
});

test("stock levels hold what is searched for, and fewer pieces than asked for", async () => {
  const rows = await rowsOf({ q: "WASHER", onHandTo: 20 });
  assert.ok(rows.length > 0);
  assert.ok(rows.every(({ article, onHand }) => article.startsWith("Washer") && onHand < 20));
});

test("a warehouse that was given up ends the report, and one that moves has it tried again", async () => {
  await assert.rejects(rowsOf({ warehouse: ["CLOSED"] }), { name: "PermanentReportError", code: "INVALID_DATA" });
  await assert.rejects(rowsOf({ warehouse: ["MOVING"] }), { name: "StoreUnavailableError" });
});
