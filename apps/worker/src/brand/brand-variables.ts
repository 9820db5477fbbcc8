import { defineEnvironment } from "@reports/runtime";
import { z } from "zod";
import { defaultBrandColour, defaultBrandName } from "./brand.ts";

export const brandVariables = defineEnvironment({
  brandName: {
    name: "REPORT_BRAND_NAME",
    schema: oneLineSchema(60),
    default: defaultBrandName,
    description: "Whose reports they are: a name for the cover of pdf and the summary of xlsx, at most 60 characters.",
  },
  brandColour: {
    name: "REPORT_BRAND_COLOR",
    schema: z
      .string()
      .regex(/^#[0-9a-fA-F]{6}$/, "must be a colour of six hexadecimal digits, such as #1F4E79")
      .transform((text) => text.slice(1).toUpperCase()),
    default: defaultBrandColour,
    defaultText: `#${defaultBrandColour}`,
    description:
      "Colour of reports, such as #1F4E79. The palette of pdf, xlsx and charts is made from it. Text stays legible with every colour.",
  },
  brandLogo: {
    name: "REPORT_BRAND_LOGO",
    schema: z.string(),
    optional: true,
    defaultText: "none",
    description:
      "Logo on reports: path of a PNG or SVG of at most 1 MiB, read at the start. Text in an SVG must have been converted to paths.",
  },
  brandFooter: {
    name: "REPORT_BRAND_FOOTER",
    schema: oneLineSchema(120),
    optional: true,
    defaultText: "none",
    description:
      "One line for the foot of every page of reports, such as a confidentiality note, at most 120 characters.",
  },
});

function oneLineSchema(maxLength: number): z.ZodType<string, string> {
  const allowed = `must be one line of at most ${maxLength} characters`;
  return z
    .string()
    .refine(
      (text) => [...text].length <= maxLength && text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text),
      allowed,
    )
    .refine((text) => text.trim() !== "", allowed)
    .transform((text) => text.trim());
}
