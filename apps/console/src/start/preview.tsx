import type { ReportStart, ReportType } from "@reports/client";
import { toDirAttribute } from "../parts/direction.ts";
import { QueryContent } from "../parts/notices.tsx";
import { State, type Tone } from "../parts/state.tsx";
import { formatTimeZone } from "../parts/time-text.ts";
import { useDebouncedText } from "../parts/use-debounced-text.ts";
import { changeRouteQuery } from "../shell/route.ts";
import { useQuery } from "../shell/use-query.ts";
import { findCellClass, formatCell, findCellTone, toSafeLinkUrl } from "./format-cell.ts";
import { selectShownColumns } from "./column-order.ts";

const previewRowCount = 20;
/** A preview waits until the user has not typed for a second. The audit log records each preview as disclosed data, and the API limits previews. */
const previewDelayMs = 1_000;

interface PreviewProps {
  readonly type: ReportType;
  readonly format: string;
  readonly start: ReportStart;
}

export function Preview(
  props: PreviewProps & {
    readonly isShown: boolean;
    readonly isInvalid: boolean;
  },
) {
  const { type, isShown, isInvalid, ...given } = props;
  const start = JSON.parse(useDebouncedText(JSON.stringify(given.start), previewDelayMs)) as ReportStart;
  if (!type.preview) return null;
  return (
    <section class="first-rows" aria-labelledby="preview">
      <div class="spread">
        <h2 id="preview">Preview</h2>
        {type.columns.some(({ kind }) => kind === "timestamp") && (
          <span class="hint">Times are in {formatTimeZone(start.timezone ?? "UTC")}</span>
        )}
        <button
          type="button"
          class="quiet"
          aria-expanded={isShown}
          onClick={() => changeRouteQuery({ preview: isShown ? ["no"] : [] })}
        >
          {isShown ? "Hide" : "Show"}
        </button>
      </div>
      {isShown && !isInvalid && <Rows type={type} format={given.format} start={start} />}
      {isShown && isInvalid && <p class="muted">The preview appears once all fields are valid.</p>}
    </section>
  );
}

function Rows({ type, format, start }: PreviewProps) {
  const { searchParam, sort, timezone } = start;
  const locale = start.locale ?? start.language ?? "en";
  const { keys } = selectShownColumns(type, format, start.columns ?? []);
  const shown = keys.map((key) => type.columns.find((column) => column.key === key)).filter((column) => !!column);
  const requested = {
    searchParam,
    columns: [
      ...new Set([...keys, ...shown.flatMap(({ link, currencyColumn }) => [link ?? [], currencyColumn ?? []].flat())]),
    ],
    sort,
    timezone,
  };
  const result = useQuery(JSON.stringify([type.reportType, requested]), async (gateway, options) =>
    gateway.reportTypes.rows(type.reportType, { ...requested, limit: previewRowCount }, options),
  );
  return (
    <QueryContent result={result}>
      {(rows) =>
        rows.length === 0 ? (
          <p class="muted">No rows match these filters.</p>
        ) : (
          <div class="scroll" tabIndex={0} role="region" aria-label="The first rows">
            <table class="rows preview">
              <thead>
                <tr>
                  {shown.map((column) => (
                    <th key={column.key} scope="col" class={findCellClass(column)}>
                      {column.title}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((row, index) => (
                  <tr key={index}>
                    {shown.map((column) => (
                      <td key={column.key} class={findCellClass(column)}>
                        <Cell
                          text={formatCell(column, row, locale)}
                          tone={findCellTone(column, row)}
                          url={column.link && toSafeLinkUrl(String(row[column.link]))}
                        />
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )
      }
    </QueryContent>
  );
}

function Cell(props: { readonly text: string; readonly tone: Tone | undefined; readonly url: string | null }) {
  const { text, tone, url } = props;
  const plain = <bdi dir={toDirAttribute(text)}>{text}</bdi>;
  const shown = tone === undefined ? plain : <State tone={tone}>{plain}</State>;
  return url ? (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {shown}
    </a>
  ) : (
    shown
  );
}
