import { reportOptions, type ReportType } from "@reports/client";
import { Select, TextField } from "../parts/fields.tsx";
import { Collapsible } from "../parts/collapsible.tsx";
import { browserTimeZone } from "../parts/time-text.ts";
import { createDerivedField, type DerivedField } from "../parts/derived-fields.tsx";
import { formatLanguageName, toSentenceCase } from "../parts/text.ts";
import { changeRouteQuery } from "../shell/route.ts";
import { nonDefaultLanguageChoices, findProposedLanguage } from "./document-languages.ts";
import { startOptionEntries, type StartOptionName } from "./start-options.ts";

interface OptionField extends Omit<DerivedField, "emptyLabel"> {
  readonly emptyLabel: string | ((type: ReportType) => string);
  readonly appliesTo?: (format: ReportType["formats"][number]) => boolean;
}

const appliesToPdf: OptionField["appliesTo"] = ({ format }) => format === "pdf";
const hasWords: OptionField["appliesTo"] = ({ format }) => format === "pdf" || format === "xlsx";
const browserLanguage = findProposedLanguage(navigator.language);

const proposals: Partial<Readonly<Record<string, { readonly value: string; readonly label: string }>>> = {
  ...(browserTimeZone === "UTC" ? {} : { timezone: { value: browserTimeZone, label: browserTimeZone } }),
  ...(browserLanguage === undefined ? {} : { language: browserLanguage }),
};

const fieldOverrides: Partial<Readonly<Record<StartOptionName, Partial<OptionField>>>> = {
  title: { emptyLabel: ({ title }) => title },
  timezone: { label: "Time zone of the file" },
  language: {
    label: "Language of pdf and xlsx",
    emptyLabel: formatLanguageName("en"),
    values: nonDefaultLanguageChoices,
    appliesTo: hasWords,
  },
  locale: { label: "Format of numbers and dates", emptyLabel: "That of the language", appliesTo: hasWords },
  compression: { emptyLabel: "None", appliesTo: ({ compressible }) => compressible },
  csvBom: { label: "Byte order mark", emptyLabel: "Yes, for Excel", appliesTo: ({ format }) => format === "csv" },
  keepRows: { label: "Store a row snapshot for additional formats" },
  paper: { values: [{ value: "LETTER", label: "Letter" }], appliesTo: appliesToPdf },
  orientation: {
    emptyLabel: "Portrait if the columns fit",
    values: ["portrait", "landscape"].map((value) => ({ value, label: toSentenceCase(value) })),
    appliesTo: appliesToPdf,
  },
  accessible: { label: "Tagged for screen readers", emptyLabel: "Yes, unless it is long", appliesTo: appliesToPdf },
};

const separateLabels: Partial<Readonly<Record<StartOptionName, string>>> = {
  format: "Format",
  columns: "Columns",
  sort: "Sorted by",
  groupBy: "Grouped by",
};

const fields: Readonly<Record<string, OptionField>> = Object.fromEntries(
  [...new Set([...(Object.keys(fieldOverrides) as StartOptionName[]), ...startOptionEntries.map(([name]) => name)])]
    .filter((name) => separateLabels[name] === undefined)
    .map((name) => [name, { ...createDerivedField(name, reportOptions[name]), ...fieldOverrides[name] }]),
);

export function optionLabel(name: string): string | undefined {
  return separateLabels[name as StartOptionName] ?? fields[name]?.label;
}

export function formatOption(name: string, value: unknown): string {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return name === "language" ? formatLanguageName(String(value)) : String(value);
}

export function Options(props: {
  readonly type: ReportType;
  readonly format: string;
  readonly query: URLSearchParams;
  readonly errors: ReadonlyMap<string, string>;
}) {
  const { type, format, query, errors } = props;
  const offered = type.formats.find((one) => one.format === format);
  const set = (name: string) => (value: string) => changeRouteQuery({ [name]: value === "" ? [] : [value] });
  return (
    <Collapsible title="More options" opens={Object.keys(fields).some((name) => query.has(name) || errors.has(name))}>
      <div class="grid">
        {Object.entries(fields)
          .filter(([, { appliesTo }]) => appliesTo === undefined || (offered !== undefined && appliesTo(offered)))
          .map(([name, { label, emptyLabel, values }]) => {
            const common = { name, label, value: query.get(name) ?? "", error: errors.get(name) };
            const byDefault = typeof emptyLabel === "string" ? emptyLabel : emptyLabel(type);
            const proposal = proposals[name];
            return (
              <div key={name}>
                {values === undefined ? (
                  <TextField {...common} placeholder={byDefault} onInput={set(name)} />
                ) : (
                  <Select {...common} emptyLabel={byDefault} options={values} onChange={set(name)} />
                )}
                {proposal !== undefined && common.value !== proposal.value && (
                  <button type="button" class="quiet or" onClick={() => set(name)(proposal.value)}>
                    {proposal.label}
                  </button>
                )}
              </div>
            );
          })}
      </div>
    </Collapsible>
  );
}
