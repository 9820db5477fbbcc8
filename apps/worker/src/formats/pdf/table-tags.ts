import type { PageFlow } from "./page-flow.ts";
import type { StructureElement } from "./structure-tree.ts";

/** Writes the structure of tables while their rows are drawn. Called for every cell of a report: no objects are made. */
export interface TableTags {
  /** Begins a table, after ending the one before; `drawHeader` draws each of its titles by the function that it is given. */
  begin(drawHeader: (drawCell: (column: number, draw: () => void) => void) => void): void;
  /** Stands before a row's text object, of which `beginCell` and EMC stand inside, and `endRow` behind it. */
  beginRow(): void;
  beginCell(column: number): void;
  /** A row of one cell that goes through all columns. */
  wholeRow(draw: () => void): void;
  endRow(): void;
  endPage(): void;
  end(): void;
}

const headerCell = { attributes: "/O/Table/Scope/Column" };

/** Undefined in a document without tags. The rows of one page are one TBody, so that nothing is kept of them when the page is finished. */
export function createTableTags(flow: PageFlow, columns: number): TableTags | undefined {
  const { structure } = flow;
  if (structure === undefined) return undefined;
  const content = flow.canvas.pen.buffer;
  const { pack } = structure;
  /** Of the open row: which marked content each of its cells is; none where a cell is empty. */
  const contentIds = new Int32Array(columns);
  let table: StructureElement | undefined;
  let body: StructureElement | undefined;
  let row = 0;

  function endPage(): void {
    if (body !== undefined) structure?.close(body);
    body = undefined;
  }

  function end(): void {
    endPage();
    if (table !== undefined) structure?.close(table);
    table = undefined;
  }

  return {
    begin(drawHeader) {
      end();
      table = structure.open("Table");
      const head = structure.open("THead", table);
      const titles = structure.open("TR", head);
      const cells = Array.from({ length: columns }, () => structure.open("TH", titles, headerCell));
      drawHeader((column, draw) => flow.mark(cells[column], draw));
      for (const element of [...cells, titles, head]) structure.close(element);
    },
    beginRow() {
      body ??= structure.open("TBody", table);
      row = structure.allocate(columns + 1);
      body.kids += `${row} 0 R `;
      contentIds.fill(-1);
      content.ascii("EMC ");
    },
    beginCell(column) {
      const contentId = flow.takeContentId(row + 1 + column);
      contentIds[column] = contentId;
      content.ascii("/TD<</MCID ");
      content.integer(contentId);
      content.ascii(">>BDC ");
    },
    wholeRow(draw) {
      body ??= structure.open("TBody", table);
      const line = structure.open("TR", body);
      const cell = structure.open("TD", line, { attributes: `/O/Table/ColSpan ${columns}` });
      flow.mark(cell, draw);
      structure.close(cell);
      structure.close(line);
    },
    endRow() {
      content.ascii("/Artifact BMC\n");
      const { bodies } = pack;
      pack.begin(row);
      bodies.ascii("<</S/TR/P ");
      bodies.integer(body?.id ?? 0);
      bodies.ascii("0 R/K[");
      for (let column = 1; column <= columns; column++) {
        bodies.integer(row + column);
        bodies.ascii("0 R ");
      }
      bodies.ascii("]>>\n");
      for (let column = 0; column < columns; column++) {
        pack.begin(row + 1 + column);
        bodies.ascii("<</S/TD/P ");
        bodies.integer(row);
        const contentId = contentIds[column]!;
        if (contentId < 0) {
          bodies.ascii("0 R>>\n");
          continue;
        }
        bodies.ascii("0 R/Pg ");
        bodies.integer(flow.page);
        bodies.ascii("0 R/K ");
        bodies.integer(contentId);
        bodies.ascii(">>\n");
      }
    },
    endPage,
    end,
  };
}
