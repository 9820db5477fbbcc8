import { compressions, type ReportType } from "@reports/client";
import { Select, TextField, type Option } from "../parts/fields.tsx";
import { Fold } from "../parts/fold.tsx";
import { viewerZone } from "../parts/moments.ts";
import { changeQuery } from "../shell/place.ts";
import type { OptionName } from "./start-options.ts";

interface OptionField {
  readonly label: string;
  /** What it is where nothing is said. */
  readonly any: (type: ReportType) => string;
  /** To choose from; left out, it is typed. */
  readonly values?: readonly Option[];
  readonly isThere?: (format: ReportType["formats"][number]) => boolean;
}

const isPdf: OptionField["isThere"] = ({ format }) => format === "pdf";
const none = { value: "false", label: "No" };

/** How the file is made, beside its format and its columns. */
const fields: Readonly<Record<Exclude<OptionName, "format" | "columns" | "sort" | "groupBy">, OptionField>> = {
  title: { label: "Title", any: ({ title }) => title },
  timezone: { label: "Time zone of the file", any: () => "UTC" },
  locale: { label: "Language of numbers and dates", any: () => "en" },
  compression: {
    label: "Compression",
    any: () => "None",
    values: compressions.filter((one) => one !== "none").map((value) => ({ value, label: value })),
    isThere: ({ compressible }) => compressible,
  },
  csvBom: {
    label: "Byte order mark",
    any: () => "Yes, for Excel",
    values: [none],
    isThere: ({ format }) => format === "csv",
  },
  keepRows: {
    label: "Keep the rows for further files",
    any: () => "No",
    values: [{ value: "true", label: "Yes" }],
  },
  paper: { label: "Paper", any: () => "A4", values: [{ value: "LETTER", label: "Letter" }], isThere: isPdf },
  orientation: {
    label: "Orientation",
    any: () => "Portrait if the columns fit",
    values: [
      { value: "portrait", label: "Portrait" },
      { value: "landscape", label: "Landscape" },
    ],
    isThere: isPdf,
  },
  accessible: {
    label: "Tagged for screen readers",
    any: () => "Yes, unless it is long",
    values: [{ value: "true", label: "Yes" }, none],
    isThere: isPdf,
  },
};

/** What an option is called; undefined of what is no option. */
export function optionLabel(name: string): string | undefined {
  return (
    { format: "Format", columns: "Columns", sort: "Sorted by", groupBy: "Grouped by" }[name] ??
    (fields as Readonly<Record<string, OptionField>>)[name]?.label
  );
}

/** Options of the file: what is left alone is as the type has it. */
export function Options(props: {
  readonly type: ReportType;
  readonly format: string;
  readonly query: URLSearchParams;
  readonly wrong: ReadonlyMap<string, string>;
}) {
  const { type, format, query, wrong } = props;
  const offered = type.formats.find((one) => one.format === format);
  const set = (name: string) => (value: string) => changeQuery({ [name]: value === "" ? [] : [value] });
  return (
    <Fold title="More options" opens={Object.keys(fields).some((name) => query.has(name) || wrong.has(name))}>
      <div class="grid">
        {Object.entries(fields)
          .filter(([, { isThere }]) => isThere === undefined || (offered !== undefined && isThere(offered)))
          .map(([name, { label, any, values }]) => {
            const common = { name, label, value: query.get(name) ?? "", wrong: wrong.get(name) };
            return values === undefined ? (
              <div key={name}>
                <TextField {...common} placeholder={any(type)} onInput={set(name)} />
                {name === "timezone" && viewerZone !== "UTC" && common.value !== viewerZone && (
                  <button type="button" class="quiet or" onClick={() => set(name)(viewerZone)}>
                    {viewerZone}
                  </button>
                )}
              </div>
            ) : (
              <Select key={name} {...common} any={any(type)} options={values} onChange={set(name)} />
            );
          })}
      </div>
    </Fold>
  );
}
