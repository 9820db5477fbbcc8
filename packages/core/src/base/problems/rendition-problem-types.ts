import type { ProblemType } from "./problem-type.ts";

export const renditionProblemTypes = {
  "rows-not-kept": {
    status: 422,
    meaning: "The report has no row snapshot, so no additional format can be made.",
    remedy: "Start the report again with keepRows.",
  },
  "report-not-finished": {
    status: 422,
    meaning: "The report has not succeeded, so no additional format can be made.",
    remedy: "Wait until its status is SUCCEEDED.",
  },
  "too-many-files": {
    status: 422,
    meaning: "The report has reached its limit of additional files.",
    remedy: "Delete one of them.",
  },
  "file-of-the-report": {
    status: 422,
    meaning: "The report's own file can only be deleted together with the report.",
    remedy: "Delete the report.",
  },
} as const satisfies Readonly<Record<string, ProblemType>>;
