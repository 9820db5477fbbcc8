import { z } from "zod";
import { parsedTextSchema } from "../../query/parsed-text.ts";

export const maxTitleLength = 120;

export function localeKind() {
  return {
    given: parsedTextSchema("must be a language tag (BCP 47), such as en or de-CH", {}, readLocale),
    answer: z.string(),
  };
}

export function createTitleSchema(description: string): z.ZodType<string> {
  const must = `must be text of 1 to ${maxTitleLength} characters without control characters`;
  // JSON Schema counts characters. The `max` of zod would count UTF-16 units.
  const length = { minLength: 1, maxLength: maxTitleLength };
  return parsedTextSchema(must, { description, ...length }, readTitle);
}

function readLocale(text: string): string | null {
  if (text.length > 35) return null;
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch {
    return null;
  }
}

function readTitle(text: string): string | null {
  if (!text.isWellFormed()) return null;
  // Titles are normalised like the texts of searches. Otherwise, a search would not find the same letters in another encoding.
  const title = text.normalize("NFC").trim();
  const length = [...title].length;
  return length < 1 || length > maxTitleLength || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(title) ? null : title;
}
