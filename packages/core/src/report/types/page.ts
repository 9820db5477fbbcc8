/** Papers of a pdf. */
export const papers = ["A4", "LETTER"] as const;
/** The paper of a pdf, one of papers. */
export type Paper = (typeof papers)[number];

/** Ways round of the pages of a pdf. */
export const orientations = ["auto", "portrait", "landscape"] as const;
/** Which way round the pages of a pdf are; `auto` is portrait where the columns fit. */
export type Orientation = (typeof orientations)[number];
