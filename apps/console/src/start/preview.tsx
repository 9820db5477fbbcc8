import type { ReportRow, ReportStart, ReportType, ReportTypeColumn } from "@reports/client";
import { Shown } from "../parts/notices.tsx";
import { changeQuery } from "../shell/place.ts";
import { useRemote } from "../shell/remote.ts";

const previewRows = 50;

/** The first rows of the report, on demand: reading them is written down as handing out data is. */
export function Preview(props: { readonly type: ReportType; readonly start: ReportStart; readonly isShown: boolean }) {
  const { type, start, isShown } = props;
  if (!type.preview) return null;
  return (
    <section aria-labelledby="preview">
      <h2 id="preview">Preview</h2>
      {isShown ? (
        <Rows type={type} start={start} />
      ) : (
        <button type="button" onClick={() => changeQuery({ preview: ["yes"] })}>
          Show the first {previewRows} rows
        </button>
      )}
    </section>
  );
}

function Rows({ type, start }: { readonly type: ReportType; readonly start: ReportStart }) {
  const { searchParam, columns, sort, timezone } = start;
  const asked = { searchParam, columns: columns ?? type.columns.map(({ key }) => key), sort, timezone };
  const remote = useRemote(JSON.stringify([type.reportType, asked]), async (gateway, signal) =>
    gateway.reportTypes.rows(type.reportType, { ...asked, limit: previewRows }, { signal }),
  );
  const shown = asked.columns
    .map((key) => type.columns.find((column) => column.key === key))
    .filter((column) => column !== undefined);
  return (
    <Shown remote={remote}>
      {(rows) =>
        rows.length === 0 ? (
          <p class="muted">No row meets these filters. The report would have a head and no rows.</p>
        ) : (
          <div class="scroll" tabIndex={0} role="region" aria-label="The first rows">
            <table class="rows preview">
              <thead>
                <tr>
                  {shown.map((column) => (
                    <th key={column.key} scope="col" class={isNumber(column) ? "number" : ""}>
                      {column.title}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((row, index) => (
                  <tr key={index}>
                    {shown.map((column) => (
                      <td key={column.key} class={isNumber(column) ? "number" : ""}>
                        <bdi>{cellText(column, row[column.key] ?? null)}</bdi>
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )
      }
    </Shown>
  );
}

function isNumber({ kind }: ReportTypeColumn): boolean {
  return ["integer", "bigint", "decimal", "ratio", "bytes"].includes(kind);
}

function cellText({ titles }: ReportTypeColumn, value: ReportRow[string] | null): string {
  if (value === null) return "";
  return [value]
    .flat()
    .map((one) => titles[String(one)] ?? String(one))
    .join("; ");
}
