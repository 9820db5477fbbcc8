export const pageSize = 50;
export const maxRows = 200;

export function readRowCount(query: URLSearchParams): number {
  const rows = Number(query.get("rows"));
  return rows > 0 && rows <= maxRows ? rows : pageSize;
}
