import type { FilterChoice, ReportType } from "@reports/client";
import { expect, test } from "vitest";
import { createProgramForInspection } from "../test/unused-program.ts";
import { completeLine } from "./complete-line.ts";
import { splitCommandLine } from "./split-command-line.ts";

const column = {
  kind: "text",
  titles: {},
  meanings: {},
  tones: {},
  tonesByNumber: [],
  expires: false,
  link: null,
  unit: null,
  currency: null,
  currencyColumn: null,
  digits: null,
  align: null,
  sortable: true,
  groupable: false,
} as const;
const type: ReportType = {
  reportType: "CREW",
  version: 1,
  title: "Crew",
  description: "",
  authority: "REPORT_CREW",
  searchParam: {
    properties: {
      rank: {
        description: "Their ranks.",
        anyOf: [{ type: "array", items: { enum: ["MATE", "COOK"] } }, { enum: ["MATE", "COOK"] }],
      },
      aboard: { type: "boolean" },
      evil: { enum: ["$(reboot)", "FINE", "two words"] },
      q: { type: "string" },
      ward: { type: "string" },
    },
  },
  columns: [
    { ...column, key: "name", title: "Name" },
    { ...column, key: "rank", title: "Rank", groupable: true },
    { ...column, key: "ships", title: "Ships", kind: "list", sortable: false },
  ],
  prominentFilters: [],
  subtotals: [],
  formerNames: { filters: {}, columns: {} },
  filterValues: ["ward"],
  pdfColumns: ["name"],
  defaultSort: ["name"],
  formats: [{ format: "csv", maxRows: 10, compressible: true, showsGroups: false, taggedMaxRows: null }],
  preview: true,
  links: { self: "", start: "" },
};
const other: ReportType = { ...type, reportType: "CARGO", columns: [{ ...column, key: "weight", title: "Weight" }] };

const program = createProgramForInspection();

const profiles = [{ value: "staging", description: "https://staging.example.com" }, { value: "test" }];

const newest = {
  report: async () => [
    { id: "01a21920-6285-73c9-852d-70307ca5b472", text: "CREW" },
    { id: "01a21920-6ac1-71a6-b05d-40198f648c7a", text: "CARGO" },
  ],
  schedule: async () => [{ id: "01a21920-742e-70fd-a53c-263fc6d30b3b", text: "Weekly" }],
  webhook: async () => [{ id: "01a21920-787d-73da-8e15-53c7ffec6ea3", text: "https://example.com" }],
};

const filterValues = async (): Promise<readonly FilterChoice[]> => [
  { value: "W1", title: "Cardiology" },
  { value: "W2", title: "W2" },
];

async function complete(line: string): Promise<readonly string[]> {
  const candidates = await completeLine(
    { program, reportTypes: async () => [type, other], filterValues, profiles: () => profiles, newest },
    line,
  );
  return candidates.map(({ value }) => value);
}

test.each<[string, readonly string[]]>([
  ["reports st", ["start", "status"]],
  ["reports run C", ["CREW", "CARGO"]],
  ["reports types CR", ["CREW"]],
  ["reports --json run CR", ["CREW"]],
  ["reports --profile sta", ["staging"]],
  ["reports list --profile=", ["--profile=staging", "--profile=test"]],
  ["reports run CREW --fo", ["--format"]],
  ["reports run CREW --format ", ["csv"]],
  ["reports run CREW --format=c", ["--format=csv"]],
  ["reports run CREW --where ", ["rank=", "aboard=", "evil=", "q=", "ward="]],
  ["reports run CREW --where ward=", ["ward=W1", "ward=W2"]],
  ["reports run --where ward=", []],
  ["reports run CREW --where rank=", ["rank=MATE", "rank=COOK"]],
  ["reports run CREW --where 'rank=M", ["rank=MATE"]],
  ["reports run CREW --where aboard=", ["aboard=true", "aboard=false"]],
  ["reports run CREW --columns name,", ["name,rank", "name,ships"]],
  ["reports run CREW --sort -", ["-name", "-rank"]],
  ["reports run CREW --group-by ", ["rank"]],
  ["reports run --columns w", ["weight"]],
  ["reports list --status S", ["SUCCEEDED"]],
  ["reports webhooks re", ["redeliver", "resume"]],
  ["reports webhooks create --event report.s", ["report.succeeded"]],
  ["reports webhooks list --status ", ["ACTIVE", "PAUSED"]],
  ["reports webhooks deliveries an-id --status D", ["DELIVERED", "DROPPED"]],
  ["reports webhooks test ", ["ffec6ea3"]],
  ["reports webhooks test an-id ", []],
  ["reports schedules pause ", ["c6d30b3b"]],
  ["reports schedules create CR", ["CREW"]],
  ["reports schedules create CREW --where aboard=t", ["aboard=true"]],
  ["reports schedules create CREW --missed ", ["LATEST", "SKIP"]],
  ["reports schedules create CREW --zone Europe/Z", ["Europe/Zagreb", "Europe/Zurich"]],
  ["reports list --type CA", ["CARGO"]],
  ["reports start CREW --compression ", ["none", "gzip", "zstd"]],
  ["reports start CREW --timezone Europe/Z", ["Europe/Zagreb", "Europe/Zurich"]],
  ["reports completion ", ["bash", "zsh", "fish"]],
  ["reports run CREW -o ", []],
  ["reports status ", ["@last", "7ca5b472", "8f648c7a"]],
  ["reports download 7", ["7ca5b472"]],
  ["reports files 01a21920-6a", ["01a21920-6ac1-71a6-b05d-40198f648c7a"]],
  ["reports add-file @last --format=", ["--format=csv"]],
])("completion offers the right words for the line %j", async (line, words) =>
  expect(await complete(line)).toEqual(words),
);

test("completion omits values with characters that are special to a shell", async () => {
  expect(await complete("reports run CREW --where evil=")).toEqual(["evil=FINE"]);
});

test("splitCommandLine splits a line at quotes and backslashes as a POSIX shell does", () => {
  expect(splitCommandLine(String.raw`reports run 'a b' "c \" d" e\ f 'open q`)).toEqual({
    words: ["reports", "run", "a b", 'c " d', "e f"],
    current: "open q",
  });
  expect(splitCommandLine("reports ")).toEqual({ words: ["reports"], current: "" });
});
