import type { Report, ReportType } from "@reports/client";
import { QueryContent } from "../parts/notices.tsx";
import { useQuery } from "../shell/use-query.ts";
import { Rendition } from "./rendition.tsx";
import { RenditionForm } from "./rendition-form.tsx";
import { isUnfinished } from "./report-state.tsx";

const unfinishedPollMs = 2_000;
/** The API refuses more additional formats per report. docs/reference/resources/report-files.md#additional-formats. */
const maxFilesPerReport = 10;

export function Renditions({ report, type }: { readonly report: Report; readonly type: ReportType | undefined }) {
  const files = useQuery(
    `files ${report.id}`,
    async (gateway, options) =>
      (await gateway.reports.files(report.id).list(options)).filter(({ id }) => id !== report.file?.id),
    (known) => (known?.some(isUnfinished) === true ? unfinishedPollMs : null),
  );
  return (
    <section aria-labelledby="additional-formats">
      <h2 id="additional-formats">Additional formats</h2>
      <p class="muted">Additional formats hold the same rows and expire with the report.</p>
      <QueryContent result={files}>
        {(known) => (
          <>
            {known.length > 0 && (
              <ul class="files">
                {known.map((file) => (
                  <Rendition key={file.id} file={file} report={report} onChange={files.reload} />
                ))}
              </ul>
            )}
            {type !== undefined &&
              (known.length < maxFilesPerReport ? (
                <RenditionForm report={report} type={type} onStart={files.reload} />
              ) : (
                <p class="hint">A report has at most {maxFilesPerReport} files. Remove one to make room.</p>
              ))}
          </>
        )}
      </QueryContent>
    </section>
  );
}
