import { integerText } from "@reports/runtime";

export const linkSettings = {
  linkMaxSeconds: {
    name: "LINK_MAX_SECONDS",
    schema: integerText(0, 86_400),
    default: 900,
    description:
      "Longest lifetime of a download link, which gives a file without credentials, in seconds. 0 switches links off: their paths do not exist, and existing links no longer work.",
  },
} as const;
