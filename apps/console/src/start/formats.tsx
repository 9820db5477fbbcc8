import type { ReportEstimate, ReportType } from "@reports/client";
import { formatCountedNoun, formatCount, formatByteSize } from "../parts/text.ts";
import { formatDuration } from "../parts/time-text.ts";
import { State } from "../parts/state.tsx";
import { changeRouteQuery } from "../shell/route.ts";

const formatPurposes: Readonly<Record<string, string>> = {
  pdf: "for reading and printing",
  xlsx: "for Excel and LibreOffice",
  csv: "for other spreadsheets and for imports",
  json: "one document, for programs",
  ndjson: "one row a line, for programs",
};

/** Formats of files that people read. The cards of the other formats are narrower. */
const formatsForPeople: readonly string[] = ["pdf", "xlsx"];

export function Formats(props: {
  readonly type: ReportType;
  readonly chosen: string;
  readonly estimates: readonly ReportEstimate[] | null;
  readonly error: string | undefined;
}) {
  const { type, chosen, estimates, error } = props;
  return (
    <fieldset class="cards">
      <legend class="unseen">Format</legend>
      {type.formats.map(({ format }) => (
        <label key={format} class={formatsForPeople.includes(format) ? "card main" : "card"}>
          <input
            type="radio"
            name="format"
            checked={format === chosen}
            onChange={() => changeRouteQuery({ format: [format] })}
          />
          <b>{format}</b>
          <span class="muted">{formatPurposes[format] ?? ""}</span>
          <Estimate estimate={estimates?.find((one) => one.format === format)} />
        </label>
      ))}
      {error !== undefined && <p class="wrong">{error}</p>}
    </fieldset>
  );
}

function Estimate({ estimate }: { readonly estimate: ReportEstimate | undefined }) {
  if (estimate === undefined || estimate.rows === null) return null;
  const { rows, rowsAre, sizeBytes, seconds, maxRows, fits } = estimate;
  if (fits === false)
    return (
      <span class="small">
        <State tone="bad">Too many rows: at most {formatCount(maxRows)}</State>
      </span>
    );
  const parts = [
    `${rowsAre === "EXACT" ? "" : "about "}${formatCountedNoun(rows, "row")}`,
    ...(sizeBytes === null ? [] : [formatByteSize(sizeBytes)]),
    ...(seconds === null ? [] : [formatDuration(Math.max(1, seconds))]),
  ];
  return <span class="small">{parts.join(" · ")}</span>;
}
