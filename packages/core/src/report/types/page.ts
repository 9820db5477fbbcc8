export const papers = ["A4", "LETTER"] as const;
export type Paper = (typeof papers)[number];

/** Orientations of pdf pages. `auto` is portrait if the columns fit. */
export const orientations = ["auto", "portrait", "landscape"] as const;
