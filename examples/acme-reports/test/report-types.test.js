// In JavaScript, so that it runs on every Node that the package supports without a build of its own.
import assert from "node:assert/strict";
import { test } from "node:test";
import reportTypes from "../dist/index.js";

const [, stockLevel] = reportTypes.reportTypes;
const { signal } = new AbortController();

async function rowsOf(searchParam, sort = [{ key: "article", descending: false }]) {
  const request = { searchParam, sort, timezone: "UTC", signal };
  return Array.fromAsync(stockLevel.definition.rows.rows(request));
}

test("stock levels honour filters and sort, and are counted as they are given", async () => {
  const searchParam = { warehouse: ["OSLO"], onHandTo: 20 };
  const rows = await rowsOf(searchParam, [{ key: "onHand", descending: true }]);
  assert.ok(rows.length > 0);
  assert.ok(rows.every(({ warehouse, onHand }) => warehouse === "OSLO" && onHand < 20));
  const pieces = rows.map(({ onHand }) => onHand);
  assert.deepEqual(
    pieces,
    pieces.toSorted((a, b) => b - a),
  );
  const count = await stockLevel.definition.rows.count({ searchParam, sort: [], timezone: "UTC", signal });
  assert.equal(count, rows.length);
});

test("a warehouse that was given up ends the report, and one that moves has it tried again", async () => {
  await assert.rejects(rowsOf({ warehouse: ["CLOSED"] }), { name: "PermanentReportError", code: "INVALID_DATA" });
  await assert.rejects(rowsOf({ warehouse: ["MOVING"] }), { name: "StoreUnavailableError" });
});
