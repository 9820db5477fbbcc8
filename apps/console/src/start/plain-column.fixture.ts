/** A column of text without anything that a definition may leave out. */
export const plainColumn = {
  key: "name",
  title: "Name",
  kind: "text",
  titles: {},
  meanings: {},
  tones: {},
  tonesByNumber: [],
  expires: false,
  link: null,
  unit: null,
  currency: null,
  currencyColumn: null,
  digits: null,
  align: null,
  sortable: true,
  groupable: false,
} as const;
