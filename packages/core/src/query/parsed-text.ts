import { z } from "zod";

/** Returns the schema of a text that `read` normalises. `read` returns null for a text that breaks the rule `must`. */
export function parsedTextSchema(
  must: string,
  described: { readonly description?: string; readonly [keyword: string]: unknown },
  read: (text: string) => string | null,
): z.ZodType<string> {
  return z
    .string(must)
    .meta({ minLength: 1, maxLength: 255, ...described })
    .transform((text, context) => {
      const value = read(text);
      if (value !== null) return value;
      context.addIssue(must);
      return z.NEVER;
    });
}
