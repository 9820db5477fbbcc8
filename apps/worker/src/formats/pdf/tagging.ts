import { formatProperties, type ReportWarning } from "@reports/core/report";

/** Maximum objects for structure in a PDF/A file: the limit of ISO 19005-2 §6.1.13, minus other objects. */
const maxStructureObjects = 8_000_000;

/**
 * Decides whether to tag a document. If `accessible` is null, documents up to a number of rows are tagged. Then an unknown number of rows counts as
 * large.
 */
export function decidePdfTagging(
  accessible: boolean | null,
  rows: { readonly total: number | null; readonly columns: number },
): { readonly isTagged: boolean; readonly warning: ReportWarning | null } {
  const most = formatProperties.pdf.taggedMaxRows;
  const total = rows.total ?? Number.POSITIVE_INFINITY;
  const isPossible = total === Number.POSITIVE_INFINITY || total * (rows.columns + 1) <= maxStructureObjects;
  const isTagged = isPossible && (accessible ?? total <= most);
  if (isTagged || accessible === false) return { isTagged, warning: null };
  const message =
    accessible === true
      ? "The pdf is not tagged, because it has more cells than a tagged one can have. Narrow its filters or ask for fewer columns."
      : `The pdf is not tagged, because it may have more than ${most} rows. Ask for accessible: true to have it tagged.`;
  return { isTagged, warning: { code: "NOT_TAGGED", message } };
}
