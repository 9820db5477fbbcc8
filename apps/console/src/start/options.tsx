import type { ReportType } from "@reports/client";
import { Select, TextField } from "../parts/fields.tsx";
import { Fold } from "../parts/fold.tsx";
import { changeQuery } from "../shell/place.ts";

/** How the file is made: what is left alone is as the type has it. */
export function Options(props: {
  readonly type: ReportType;
  readonly format: string;
  readonly query: URLSearchParams;
  readonly wrong: ReadonlyMap<string, string>;
}) {
  const { type, format, query, wrong } = props;
  const names = ["title", "timezone", "locale", "compression", "csvBom", "keepRows", "paper", "orientation"];
  const set = (name: string) => (value: string) => changeQuery({ [name]: value === "" ? [] : [value] });
  const text = (name: string, label: string, placeholder: string) => (
    <TextField
      label={label}
      value={query.get(name) ?? ""}
      placeholder={placeholder}
      wrong={wrong.get(name)}
      onInput={set(name)}
    />
  );
  const choose = (name: string, label: string, any: string, values: readonly (readonly [string, string])[]) => (
    <Select
      label={label}
      value={query.get(name) ?? ""}
      any={any}
      options={values.map(([value, label]) => ({ value, label }))}
      wrong={wrong.get(name)}
      onChange={set(name)}
    />
  );
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Fold title="More options" opens={names.some((name) => query.has(name) || wrong.has(name))}>
      <div class="grid">
        {text("title", "Title", type.title)}
        <div>
          {text("timezone", "Time zone of the file", "UTC")}
          {zone !== "UTC" && query.get("timezone") !== zone && (
            <button type="button" class="quiet or" onClick={() => set("timezone")(zone)}>
              {zone}
            </button>
          )}
        </div>
        {text("locale", "Language of numbers and dates", "en")}
        {type.formats.find((one) => one.format === format)?.compressible === true &&
          choose("compression", "Compression", "None", [
            ["gzip", "gzip"],
            ["zstd", "zstd"],
          ])}
        {format === "csv" && choose("csvBom", "Byte order mark", "Yes, for Excel", [["false", "No"]])}
        {choose("keepRows", "Rows beside the file", "Not kept", [["true", "Kept, for further files of the same rows"]])}
        {format === "pdf" && choose("paper", "Paper", "A4", [["LETTER", "Letter"]])}
        {format === "pdf" &&
          choose("orientation", "Orientation", "As the columns need", [
            ["portrait", "Portrait"],
            ["landscape", "Landscape"],
          ])}
      </div>
    </Fold>
  );
}
