import { expect, test } from "vitest";
import { findProposedLanguage } from "./document-languages.ts";

test.each([
  ["de-CH", { value: "de", label: "German" }],
  ["pl", { value: "pl", label: "Polish" }],
  ["en-GB", undefined],
  ["pt-BR", undefined],
])("to a browser in the language %s, the form proposes %j", (tag, expected) => {
  expect(findProposedLanguage(tag)).toEqual(expected);
});
