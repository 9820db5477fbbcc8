import { defineEnvironment, listText } from "@reports/runtime";

export const corsSettings = defineEnvironment({
  corsOrigins: {
    name: "CORS_ORIGINS",
    schema: listText().refine(
      (origins) => origins.every(isOrigin),
      "must be origins as browsers send them, such as https://app.example.com, separated by commas; without a path, and not *",
    ),
    default: [],
    defaultText: "none",
    description:
      "Origins of pages that may call the API with bearer tokens, such as https://app.example.com, separated by commas (docs/guides/calling/call-from-a-browser.md).",
  },
});

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.parse(text)?.origin === text;
}
