import type { Report } from "@reports/client";
import { CopyButton } from "../parts/copy.tsx";
import { Facts } from "../parts/facts.tsx";
import { State } from "../parts/state.tsx";
import { formatCount, toSentenceCase, formatByteSize } from "../parts/text.ts";
import { Time } from "../parts/time.tsx";
import { runAction } from "../shell/toasts.tsx";
import { downloadFile } from "./download.ts";
import { toDirAttribute } from "../parts/direction.ts";
import { isLayoutNote } from "./report-state.tsx";
import { ShareButton } from "./share-button.tsx";

export function ReportFileSection({ report }: { readonly report: Report }) {
  const { file, rowCount, expiresAt, warnings } = report;
  if (file === null) return null;
  return (
    <section class="panel" aria-labelledby="file">
      <h2 id="file" dir={toDirAttribute(file.fileName)}>
        {file.fileName}
      </h2>
      <Facts
        facts={[
          ["Size", formatByteSize(file.size)],
          rowCount === null ? null : ["Rows", formatCount(rowCount)],
          expiresAt === null ? null : ["Kept until", <Time key="kept" at={expiresAt} exact />],
          [
            "SHA-256",
            <span key="hash" class="hash">
              <code>{file.sha256}</code>
              <CopyButton text={file.sha256} label="Copy the SHA-256" />
            </span>,
          ],
        ]}
      />
      <Remarks warnings={warnings} />
      <div class="buttons">
        <button type="button" class="primary" onClick={() => void runAction(async () => downloadFile(report, file))}>
          Download {file.extension}, {formatByteSize(file.size)}
        </button>
        <ShareButton reportId={report.id} file={file} />
      </div>
    </section>
  );
}

function Remarks({ warnings }: Pick<Report, "warnings">) {
  if (warnings.length === 0) return null;
  return (
    <ul class="remarks">
      {warnings.map((warning) => (
        <li key={`${warning.code} ${warning.message}`}>
          <State tone={isLayoutNote(warning) ? "muted" : "warn"}>{toSentenceCase(warning.code)}</State>
          <span dir="auto">{warning.message}</span>
        </li>
      ))}
    </ul>
  );
}
