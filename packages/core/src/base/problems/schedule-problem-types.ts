import type { ProblemType } from "./problem-type.ts";

export const scheduleProblemTypes = {
  "too-many-schedules": {
    status: 422,
    meaning: "The caller has reached its limit of schedules.",
    remedy: "Delete one first.",
  },
  "schedule-ended": {
    status: 422,
    meaning: "The schedule has ended: it no longer runs, and cannot be run by hand.",
    remedy: "Give it a later endsAt, or start the report itself.",
  },
} as const satisfies Readonly<Record<string, ProblemType>>;
