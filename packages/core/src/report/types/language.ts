/** Languages of the words in pdf and xlsx, as BCP 47 tags. */
export const languages = ["en", "de", "fr", "nl", "es", "pl"] as const;
/** Language of the words in a document. */
export type Language = (typeof languages)[number];

/** Language of the words of report types, and of the words that a translation lacks. */
export const defaultLanguage = "en" satisfies Language;
