import { z } from "zod";

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
