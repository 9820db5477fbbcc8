import { expect, test } from "vitest";
import { DomainError, ExpectedError } from "./errors.ts";
import { problemCatalogue } from "./http/problem-catalogue.ts";
import * as core from "./index.ts";

test("every error that the domain throws on purpose has the one root by which a fault of ours is told from it", () => {
  const errors = Object.entries(core).filter(([name]) => name.endsWith("Error") && name !== "ExpectedError");
  expect(errors.length).toBeGreaterThan(8);
  const strays = errors.filter(([, error]) => !((error as { prototype: unknown }).prototype instanceof ExpectedError));
  expect(strays).toEqual([]);
});

test("a problem has a code that the catalogue explains: another one does not compile", () => {
  // @ts-expect-error: the catalogue has no such code.
  expect(new DomainError("gone", "report-eaten", "The report was eaten.").code).toBe("report-eaten");
  expect(Object.hasOwn(problemCatalogue, new DomainError("gone", "report-deleted", "It was deleted.").code)).toBe(true);
});
