import { z } from "zod";
import type { InputIssue } from "../../base/errors.ts";
import { defaultLanguage } from "../types/language.ts";
import {
  optionChoicesOf,
  selectDefaultFormat,
  findOptionConflict,
  startOptionDeclarations,
  type FormatAndLanguage,
  type RequestedOptions,
} from "../types/options.ts";
import { withCurrentColumnKeys } from "../types/former-names.ts";
import type { ReportTypeDefinition } from "../types/type-definition.ts";

export const reportOptionNames = Object.keys(startOptionDeclarations) as readonly (keyof RequestedOptions)[];

export function isListOption(name: keyof RequestedOptions): boolean {
  return startOptionDeclarations[name].stored instanceof z.ZodArray;
}

export type OptionEncoding = "json" | "text";

export type OptionsParseResult =
  | { readonly ok: true; readonly options: RequestedOptions }
  | { readonly ok: false; readonly issues: readonly InputIssue[] };

export function parseReportOptions(
  definition: ReportTypeDefinition,
  spelling: OptionEncoding,
  given: Readonly<Record<string, unknown>>,
  locate: (path: readonly PropertyKey[]) => Pick<InputIssue, "parameter" | "pointer">,
): OptionsParseResult {
  const parsed = schemasOf(definition)[spelling].safeParse(withCurrentColumnKeys(definition, given));
  if (parsed.success) return { ok: true, options: parsed.data };
  const issues = reportOptionNames.flatMap((name) =>
    parsed.error.issues
      .filter(({ path }) => path[0] === name)
      .map((issue): InputIssue => {
        const message = `${name} ${issue.message.replace(/[^.]$/, "$&.")}`;
        return { ...locate(issue.path), code: "invalid_option", message };
      }),
  );
  return { ok: false, issues };
}

type OptionSchemas = Readonly<Record<OptionEncoding, z.ZodType<RequestedOptions>>>;

// Schemas are cached, because creating one takes longer than using it. Definitions do not change.
const schemaCache = new WeakMap<ReportTypeDefinition, OptionSchemas>();

function schemasOf(definition: ReportTypeDefinition): OptionSchemas {
  const known = schemaCache.get(definition);
  if (known !== undefined) return known;
  const made = { json: schemaOf(definition, "json"), text: schemaOf(definition, "text") };
  schemaCache.set(definition, made);
  return made;
}

function schemaOf(definition: ReportTypeDefinition, spelling: OptionEncoding): OptionSchemas["json"] {
  const choices = optionChoicesOf(definition);
  const fields = Object.entries(startOptionDeclarations).map(
    ([name, { given }]) => [name, (given(choices)[spelling] as z.ZodType).nullish()] as const,
  );
  const together = (values: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void => {
    const refusal = findOptionConflict(definition, values);
    if (refusal !== null) context.addIssue({ code: "custom", path: [refusal.option], message: refusal.message });
  };
  // `together` runs even if single options are invalid, so that all problems are reported at the same time.
  const options = z.object(Object.fromEntries(fields)).superRefine(together, { when: () => true });
  return options.transform((values) => withDefaults(definition, values));
}

function withDefaults(definition: ReportTypeDefinition, values: Readonly<Record<string, unknown>>): RequestedOptions {
  const { format, language } = values as Readonly<Partial<Record<keyof FormatAndLanguage, unknown>>>;
  const chosen = {
    format: format ?? selectDefaultFormat(definition),
    language: language ?? defaultLanguage,
  } as FormatAndLanguage;
  const filled = Object.entries(startOptionDeclarations).map(([name, { byDefault }]) => [
    name,
    values[name] ?? byDefault(definition, chosen),
  ]);
  return Object.fromEntries(filled) as RequestedOptions;
}
