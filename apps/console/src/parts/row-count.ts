export const defaultListRows = 50;
export const maxListRows = 200;

export function readListRowCount(query: URLSearchParams): number {
  const rows = Number(query.get("rows"));
  return rows > 0 && rows <= maxListRows ? rows : defaultListRows;
}
