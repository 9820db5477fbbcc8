import type { ReportTypeDefinition } from "@reports/core/report";

export const crewReport: ReportTypeDefinition = {
  type: "CREW",
  version: 1,
  title: "Crew on duty",
  description: "Who is on duty, and since when?",
  filters: [
    { name: "team", operator: "in", value: "text", columns: ["team"], description: "Teams, as they call themselves." },
  ],
  columns: [
    { key: "name", title: "Name", kind: "text", width: 20 },
    { key: "team", title: "Team", kind: "text", width: 12 },
    { key: "since", title: "Since", kind: "timestamp", width: 20 },
    { key: "shifts", title: "Shifts", kind: "integer", width: 8 },
    { key: "pay", title: "Pay", kind: "decimal", width: 12 },
    { key: "skills", title: "Skills", kind: "list", width: 24 },
  ],
  pdfColumns: ["name", "team", "since", "shifts", "pay", "skills"],
  where: [],
  prominentFilters: [],
  defaultSort: [{ key: "name", descending: false }],
  groupable: ["team"],
  formats: {
    pdf: { maxRows: 10_000 },
    xlsx: { maxRows: 10_000 },
    csv: { maxRows: 10_000 },
    json: { maxRows: 10_000 },
    ndjson: { maxRows: 3 },
  },
  summary: { figures: [], charts: [] },
  rows: {
    kind: "objects",
    async *rows({ searchParam }) {
      const teams = searchParam["team"];
      for (const row of crewRows) if (!Array.isArray(teams) || teams.includes(row.team)) yield row;
    },
  },
};

/** @public An older version of the type, without its filter. The package that a test installs imports it. */
export const olderCrewReport: ReportTypeDefinition = { ...crewReport, filters: [] };

const crewRows = [
  {
    name: "Ada",
    team: "core",
    since: new Date("2026-10-25T00:30:00Z"),
    shifts: 3,
    pay: "12345678901234567.89",
    skills: ["sql", "c, c++"],
  },
  { name: "=Bob", team: "edge", since: new Date("2026-10-25T01:30:00Z"), shifts: 0, pay: null, skills: [] },
  { name: "Šárka 🙂", team: "edge", since: null, shifts: 12, pay: "0.10", skills: ["dns"] },
  { name: "דנה", team: "edge", since: null, shifts: null, pay: "-1", skills: null },
];
