import { officeNamespace } from "./office-namespace.ts";
import type { DocumentInput } from "../format-renderer.ts";
import { quoteSheetName } from "./sheet-name.ts";
import { toTableRange } from "./table-part.ts";
import { escapeXmlText, escapeXstring } from "./escape-xstring.ts";

const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const packageNamespace = "http://schemas.openxmlformats.org/package/2006";
const spreadsheetType = "application/vnd.openxmlformats-officedocument.spreadsheetml";

export interface SheetEntry {
  readonly name: string;
  readonly number: number;
  /** Columns and rows of the sheet's table, without its header; null if the sheet has no table. */
  readonly table: { readonly columns: number; readonly rows: number } | null;
}

export function contentTypesXml(sheets: readonly SheetEntry[], chartCount: number, hasLogo: boolean): string {
  const override = (part: string, type: string) => `<Override PartName="/${part}" ContentType="${type}"/>`;
  const parts = [
    override("xl/workbook.xml", `${spreadsheetType}.sheet.main+xml`),
    override("xl/styles.xml", `${spreadsheetType}.styles+xml`),
    override("xl/theme/theme1.xml", "application/vnd.openxmlformats-officedocument.theme+xml"),
    override("docProps/core.xml", "application/vnd.openxmlformats-package.core-properties+xml"),
    ...sheets.map(({ number }) => override(`xl/worksheets/sheet${number}.xml`, `${spreadsheetType}.worksheet+xml`)),
  ];
  for (const { number, table } of sheets)
    if (table !== null && table.rows > 0)
      parts.push(override(`xl/tables/table${number}.xml`, `${spreadsheetType}.table+xml`));
  if (chartCount > 0 || hasLogo)
    parts.push(override("xl/drawings/drawing1.xml", "application/vnd.openxmlformats-officedocument.drawing+xml"));
  for (let chart = 1; chart <= chartCount; chart++) {
    parts.push(
      override(`xl/charts/chart${chart}.xml`, "application/vnd.openxmlformats-officedocument.drawingml.chart+xml"),
    );
  }
  return `${xmlDeclaration}<Types xmlns="${packageNamespace}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${hasLogo ? '<Default Extension="png" ContentType="image/png"/>' : ""}<Default Extension="xml" ContentType="application/xml"/>${parts.join("")}</Types>`;
}

function relationshipsXml(targets: readonly { readonly type: string; readonly target: string }[]): string {
  const relations = targets
    .map(({ type, target }, index) => `<Relationship Id="rId${index + 1}" Type="${type}" Target="${target}"/>`)
    .join("");
  return `${xmlDeclaration}<Relationships xmlns="${packageNamespace}/relationships">${relations}</Relationships>`;
}

export function packageRelationshipsXml(): string {
  return relationshipsXml([
    { type: `${officeNamespace}/officeDocument`, target: "xl/workbook.xml" },
    { type: `${packageNamespace}/relationships/metadata/core-properties`, target: "docProps/core.xml" },
  ]);
}

export function workbookRelationshipsXml(sheets: readonly SheetEntry[]): string {
  return relationshipsXml([
    ...sheets.map(({ number }) => ({ type: `${officeNamespace}/worksheet`, target: `worksheets/sheet${number}.xml` })),
    { type: `${officeNamespace}/styles`, target: "styles.xml" },
    { type: `${officeNamespace}/theme`, target: "theme/theme1.xml" },
  ]);
}

export function sheetToDrawingRelationshipXml(): string {
  return relationshipsXml([{ type: `${officeNamespace}/drawing`, target: "../drawings/drawing1.xml" }]);
}

/** Returns the start and the end of a sheet's relationships. The relationships of its links go between them. */
export function sheetRelationshipsXml(sheet: number): readonly [start: string, end: string] {
  const end = "</Relationships>";
  const table = relationshipsXml([{ type: `${officeNamespace}/table`, target: `../tables/table${sheet}.xml` }]);
  return [table.slice(0, -end.length), end];
}

export function drawingRelationshipsXml(chartCount: number, hasLogo: boolean): string {
  const charts = Array.from({ length: chartCount }, (_, index) => ({
    type: `${officeNamespace}/chart`,
    target: `../charts/chart${index + 1}.xml`,
  }));
  const logo = { type: `${officeNamespace}/image`, target: "../media/logo.png" };
  return relationshipsXml(hasLogo ? [...charts, logo] : charts);
}

export function workbookXml(sheets: readonly SheetEntry[]): string {
  const entries = sheets
    .map(({ name }, index) => `<sheet name="${escapeXstring(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
    .join("");
  const filters: string[] = [];
  const titles: string[] = [];
  for (const [index, { name, table }] of sheets.entries()) {
    if (table === null) continue;
    const sheet = escapeXstring(quoteSheetName(name));
    const [from, to] = toTableRange(table.columns, table.rows)
      .replaceAll(/[A-Z]+|\d+/g, "$$$&")
      .split(":");
    if (table.rows === 0)
      filters.push(
        `<definedName name="_xlnm._FilterDatabase" localSheetId="${index}" hidden="1">${sheet}!${from}:${to}</definedName>`,
      );
    titles.push(
      `<definedName name="_xlnm.Print_Titles" localSheetId="${index}">${sheet}!$A:$A,${sheet}!$1:$1</definedName>`,
    );
  }
  const names = [...filters, ...titles].join("");
  return `${xmlDeclaration}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${officeNamespace}"><bookViews><workbookView activeTab="0"/></bookViews><sheets>${entries}</sheets>${names === "" ? "" : `<definedNames>${names}</definedNames>`}</workbook>`;
}

/** Returns docProps/core.xml. It names no person, because people who forward a file do not see it. The Summary sheet names the requester. */
export function corePropertiesXml({ request, brand }: DocumentInput): string {
  return `${xmlDeclaration}<cp:coreProperties xmlns:cp="${packageNamespace}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${escapeXmlText(request.title)}</dc:title><dc:creator>${escapeXmlText(brand.name)}</dc:creator><dc:language>${request.options.language}</dc:language><dcterms:created xsi:type="dcterms:W3CDTF">${escapeXmlText(new Date(request.createdAt).toISOString())}</dcterms:created></cp:coreProperties>`;
}
