import { expect, test } from "vitest";
import { proposedLanguage } from "./document-languages.ts";

test.each([
  ["de-CH", { value: "de", label: "German" }],
  ["pl", { value: "pl", label: "Polish" }],
  ["en-GB", undefined],
  ["pt-BR", undefined],
])("to a browser in the language %s, the form proposes %j", (tag, expected) => {
  expect(proposedLanguage(tag)).toEqual(expected);
});
