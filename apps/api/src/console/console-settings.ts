import { flagText } from "@reports/runtime";

/** Whether there are pages for people. */
export const consoleSettings = {
  console: {
    name: "CONSOLE",
    schema: flagText(),
    default: true,
    description: "Whether the API serves the console, its pages for people, at /console.",
  },
} as const;
