export const papers = ["A4", "LETTER"] as const;
export type Paper = (typeof papers)[number];

export const orientations = ["auto", "portrait", "landscape"] as const;
