import type { ColumnKind, Tone } from "@reports/core";

/** Indexes into `cellXfs` of styles.xml, in its order. */
export const cellStyles = {
  general: 0,
  header: 1,
  integer: 2,
  grouped: 3,
  ratio: 4,
  timestamp: 5,
  date: 6,
  numberAsText: 7,
  title: 8,
  section: 9,
  label: 10,
  boolean: 11,
  headerOfNumbers: 12,
  headerOfBooleans: 13,
  labelOfNumbers: 14,
  bytes: 15,
} as const;

/** The style of a column's typed cells. */
export function styleOfKind(kind: ColumnKind): number {
  switch (kind) {
    case "integer":
      return cellStyles.integer;
    case "bigint":
      return cellStyles.grouped;
    case "ratio":
      return cellStyles.ratio;
    case "bytes":
      return cellStyles.bytes;
    case "timestamp":
      return cellStyles.timestamp;
    case "date":
      return cellStyles.date;
    case "boolean":
      return cellStyles.boolean;
    default:
      return cellStyles.general;
  }
}

/** The style of a column's header, which stands over its cells. */
export function headerStyleOfKind(kind: ColumnKind): number {
  switch (kind) {
    case "integer":
    case "bigint":
    case "decimal":
    case "ratio":
    case "bytes":
      return cellStyles.headerOfNumbers;
    case "boolean":
      return cellStyles.headerOfBooleans;
    default:
      return cellStyles.header;
  }
}

/** Colours of tones, RRGGBB; legible on white. */
export const toneColours: Readonly<Record<Tone, string>> = {
  good: "2E7D32",
  warn: "B26A00",
  bad: "C62828",
  muted: "757575",
  neutral: "1F4E79",
};

/** Indexes into `dxfs` of styles.xml: how conditional formatting shows a tone. */
export const toneFormats = { good: 0, warn: 1, bad: 2, muted: 3 } as const;

const formats = [
  [164, "#,##0"],
  [165, "0.00##%"],
  [166, "yyyy\\-mm\\-dd\\ hh:mm:ss"],
  [167, "yyyy\\-mm\\-dd"],
  // Excel shows booleans as words whatever the format; LibreOffice shows 1 and 0 without this one.
  // The number stays whole; three units are what one format can tell apart.
  [
    169,
    "[&gt;=1000000000000]#,##0.0,,,,\\ &quot;TB&quot;;[&gt;=1000000000]#,##0.0,,,\\ &quot;GB&quot;;#,##0.0,,\\ &quot;MB&quot;",
  ],
  [168, "&quot;TRUE&quot;;&quot;TRUE&quot;;&quot;FALSE&quot;"],
] as const;

/** Room between a number and the text of the next column. */
const numberAlignment = 'horizontal="right" indent="1"';

/** xl/styles.xml. */
export function stylesXml(): string {
  const numberFormats = formats.map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`).join("");
  const xf = (numFmtId: number, fontId = 0, fillId = 0, borderId = 0, alignment = "") =>
    `<xf numFmtId="${numFmtId}" fontId="${fontId}" fillId="${fillId}" borderId="${borderId}" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1"${alignment === "" ? "/>" : ` applyAlignment="1"><alignment ${alignment}/></xf>`}`;
  const cells = [
    xf(0),
    xf(0, 1, 2, 1, 'vertical="center"'),
    xf(1, 0, 0, 0, numberAlignment),
    xf(164, 0, 0, 0, numberAlignment),
    xf(165, 0, 0, 0, numberAlignment),
    xf(166, 0, 0, 0, 'horizontal="left"'),
    xf(167, 0, 0, 0, 'horizontal="left"'),
    xf(49, 0, 0, 0, numberAlignment),
    xf(0, 2),
    xf(0, 3, 0, 2),
    xf(0, 4, 0, 0, 'vertical="top"'),
    xf(168, 0, 0, 0, 'horizontal="center"'),
    xf(0, 1, 2, 1, `${numberAlignment} vertical="center"`),
    xf(0, 1, 2, 1, 'horizontal="center" vertical="center"'),
    xf(0, 4, 0, 0, numberAlignment),
    xf(169, 0, 0, 0, numberAlignment),
  ];
  const font = (content: string, size = 11) =>
    `<font>${content}<sz val="${size}"/>COLOUR<name val="Calibri"/><family val="2"/></font>`;
  const fonts = [
    font("").replace("COLOUR", '<color rgb="FF202020"/>'),
    font("<b/>").replace("COLOUR", '<color rgb="FFFFFFFF"/>'),
    font("<b/>", 18).replace("COLOUR", `<color rgb="FF${toneColours.neutral}"/>`),
    font("<b/>", 12).replace("COLOUR", `<color rgb="FF${toneColours.neutral}"/>`),
    font("").replace("COLOUR", '<color rgb="FF606060"/>'),
  ];
  const fill = (content: string) => `<fill>${content}</fill>`;
  const fills = [
    fill('<patternFill patternType="none"/>'),
    fill('<patternFill patternType="gray125"/>'),
    fill(
      `<patternFill patternType="solid"><fgColor rgb="FF${toneColours.neutral}"/><bgColor indexed="64"/></patternFill>`,
    ),
  ];
  const bottom = (style: string, colour: string) =>
    `<border><left/><right/><top/><bottom style="${style}"><color rgb="FF${colour}"/></bottom><diagonal/></border>`;
  const borders = [
    "<border><left/><right/><top/><bottom/><diagonal/></border>",
    bottom("medium", "163A5C"),
    bottom("thin", "9DB4CC"),
  ];
  const tones = (["good", "warn", "bad", "muted"] as const).map(
    (tone) => `<dxf><font>${tone === "bad" ? "<b/>" : ""}<color rgb="FF${toneColours[tone]}"/></font></dxf>`,
  );
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    list("numFmts", formats.length, numberFormats) +
    list("fonts", fonts.length, fonts.join("")) +
    list("fills", fills.length, fills.join("")) +
    list("borders", borders.length, borders.join("")) +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    list("cellXfs", cells.length, cells.join("")) +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>' +
    list("dxfs", tones.length, tones.join("")) +
    "</styleSheet>"
  );
}

function list(name: string, count: number, content: string): string {
  return `<${name} count="${count}">${content}</${name}>`;
}
