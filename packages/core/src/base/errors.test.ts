import { expect, test } from "vitest";
import { DomainError, ExpectedError } from "./errors.ts";
import { problemCatalogue } from "./problems/problem-catalogue.ts";
import * as core from "../base.ts";
import * as caller from "../caller.ts";

test("every error class that core exports extends ExpectedError", () => {
  const errors = Object.entries({ ...core, ...caller }).filter(
    ([name]) => /^[A-Z]\w+Error$/.test(name) && name !== "ExpectedError",
  );
  expect(errors.length).toBeGreaterThan(8);
  const strays = errors.filter(([, error]) => !((error as { prototype: unknown }).prototype instanceof ExpectedError));
  expect(strays).toEqual([]);
});

test("instanceof recognises errors that another copy of @reports/core created", async () => {
  const copy = "./errors.ts?copy";
  const other = (await import(/* @vite-ignore */ copy)) as typeof core;
  expect(other.PermanentReportError).not.toBe(core.PermanentReportError);
  const made = [
    new other.PermanentReportError("INVALID_DATA", "The data is wrong."),
    new other.StoreUnavailableError("The store is away."),
    new other.StoreMismatchError("The store is another."),
    new other.RendererCrashError("OUT_OF_MEMORY", "There was too little."),
    new Error("None of these."),
    Object.create(null) as Error,
  ];
  const classes = [
    core.ExpectedError,
    core.PermanentReportError,
    core.StoreUnavailableError,
    core.StoreMismatchError,
    core.RendererCrashError,
    core.DomainError,
  ];
  expect(made.map((error) => classes.map((known) => (error instanceof known ? 1 : 0)).join(""))).toEqual([
    "110000",
    "101000",
    "101100",
    "100010",
    "000000",
    "000000",
  ]);
});

test("instanceof tells an error class of core from subclasses that users declare", () => {
  class QuotaError extends core.PermanentReportError {}
  const quota = new QuotaError("INVALID_DATA", "There is no quota.");
  expect(quota).toBeInstanceOf(QuotaError);
  expect(quota).toBeInstanceOf(core.PermanentReportError);
  expect(new core.PermanentReportError("INVALID_DATA", "") instanceof QuotaError).toBe(false);
});

test("a DomainError whose code is not in the problem catalogue does not compile", () => {
  // @ts-expect-error: the catalogue has no such code.
  expect(new DomainError("gone", "report-eaten", "The report was eaten.").code).toBe("report-eaten");
  expect(Object.hasOwn(problemCatalogue, new DomainError("gone", "report-deleted", "It was deleted.").code)).toBe(true);
});
