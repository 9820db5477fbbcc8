// Plain JavaScript, so that every supported version of Node runs this test without a build.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { checkReportTypes } from "@reports/core/testing";
import reportTypes from "../dist/index.js";
import { startFleetService } from "../service/fleet-service.ts";

const vehicle = reportTypes.reportTypes.find(({ definition }) => definition.type === "VEHICLE").definition;
let service;

before(async () => {
  service = await startFleetService(0);
  process.env.TYPES_FLEET_URL = service.url;
});
after(() => service.close());

async function rowsOf(given) {
  const request = {
    searchParam: { depot: ["HAM"] },
    columns: vehicle.columns.map(({ key }) => key),
    limit: null,
    sort: [{ key: "plate", descending: false }],
    timezone: "UTC",
    locale: "en",
    language: "en",
    requester: { id: "basic:test", name: null },
    signal: new AbortController().signal,
    ...given,
  };
  const rows = [];
  for await (const row of vehicle.rows.rows(request)) rows.push(row);
  return rows;
}

test("all report types are valid, and VEHICLE honours all filters and sorts", async () => {
  await checkReportTypes(reportTypes, {
    searchParams: {
      VEHICLE: [
        { depot: ["HAM", "GDN"] },
        { depot: ["HAM"], tankTo: "0.25", inspectionTo: "2030-01-01" },
        { depot: ["BER"], q: "actros" },
      ],
    },
  });
});

test("places show numbers by locale, and are not looked up without the column `place`", async () => {
  const [english, german, none] = await Promise.all([
    rowsOf({}),
    rowsOf({ locale: "de-DE" }),
    rowsOf({ columns: ["plate"] }),
  ]);
  assert.equal(english.find(({ plate }) => plate === "HAM-H 1061").place, "1.7 km from Lüneburg");
  assert.equal(german.find(({ plate }) => plate === "HAM-H 1061").place, "1,7 km von Lüneburg");
  assert.ok(none.every(({ place }) => place === null));
});

test("a closed depot fails the report, and a silent fleet service postpones it", async () => {
  await assert.rejects(rowsOf({ searchParam: { depot: ["OLD"] } }), {
    name: "PermanentReportError",
    code: "INVALID_DATA",
  });
  process.env.TYPES_FLEET_URL = "http://127.0.0.1:9/";
  await assert.rejects(rowsOf({}), { name: "StoreUnavailableError" });
  process.env.TYPES_FLEET_URL = service.url;
});
