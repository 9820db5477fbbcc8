export const pageSize = 50;
export const maxRows = 200;

/** Returns the number of rows to request. The console requests one page only. */
export function requestedRowCount(query: URLSearchParams): number {
  const rows = Number(query.get("rows"));
  return rows > 0 && rows <= maxRows ? rows : pageSize;
}
