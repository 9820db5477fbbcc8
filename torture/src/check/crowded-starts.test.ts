import { expect, test } from "vitest";
import { findCrowdedStartViolations } from "./crowded-starts.ts";

const held = {
  sent: [
    { subject: "ann", title: "ann-1", status: 202, id: "r1" },
    { subject: "ann", title: "ann-1", status: 202, id: "r1" },
    { subject: "ann", title: "ann-2", status: 429, id: null },
    { subject: "ben", title: "ben-1", status: 0, id: null },
  ],
  written: [
    { id: "r1", title: "ann-1" },
    { id: "r2", title: "ben-1" },
  ],
  jobs: [{ reportId: "r1" }, { reportId: "r2" }],
  limit: 1,
};

const brokenBy = (changed: Partial<typeof held>): readonly string[] =>
  findCrowdedStartViolations({ ...held, ...changed })
    .filter(({ violations }) => violations.length > 0)
    .map(({ name }) => name);

test("starts that were acknowledged, refused or cut off fit their reports", () => {
  expect(brokenBy({})).toEqual([]);
});

test("a caller with more or fewer reports than its limit breaks E1", () => {
  expect(brokenBy({ limit: 2 })).toEqual(["E1"]);
  expect(brokenBy({ written: held.written.slice(0, 1), jobs: held.jobs.slice(0, 1) })).toEqual(["E1"]);
});

test("a report whose start was refused breaks E2", () => {
  const sent = held.sent.map((start) => (start.title === "ben-1" ? { ...start, status: 503 } : start));
  expect(brokenBy({ sent })).toEqual(["E2"]);
});

test("two reports of one start, or a missing one, break E3", () => {
  const written = [...held.written, { id: "r3", title: "ann-1" }];
  const jobs = [...held.jobs, { reportId: "r3" }];
  expect(brokenBy({ written, jobs })).toEqual(["E1", "E3"]);
  const sent = held.sent.map((start, index) => (index === 1 ? { ...start, id: "r9" } : start));
  expect(brokenBy({ sent })).toEqual(["E3"]);
  expect(brokenBy({ written: held.written.slice(1), jobs: held.jobs.slice(1) })).toEqual(["E1", "E3"]);
});

test("a report without a job, or a job without a report, breaks E4", () => {
  expect(brokenBy({ jobs: held.jobs.slice(1) })).toEqual(["E4"]);
  expect(brokenBy({ jobs: [...held.jobs, { reportId: "r9" }] })).toEqual(["E4"]);
});

test("a start with another response breaks E5", () => {
  const sent = [...held.sent, { subject: "ann", title: "ann-3", status: 500, id: null }];
  expect(brokenBy({ sent })).toEqual(["E5"]);
});
