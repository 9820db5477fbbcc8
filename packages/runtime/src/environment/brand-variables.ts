import { z } from "zod";
import { oneLineText } from "./text-schemas.ts";
import { defineEnvironment } from "./variable.ts";

export const defaultBrandName = "Report Gateway";
/** Default colour of the brand: six upper-case hexadecimal digits, RRGGBB. */
export const defaultBrandColour = "1F4E79";

export const brandVariables = defineEnvironment({
  brandName: {
    name: "REPORT_BRAND_NAME",
    schema: oneLineText(60),
    default: defaultBrandName,
    description:
      "Name of the company or team on the cover of pdf, the summary of xlsx and the console, at most 60 characters.",
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
      "Colour of reports and of the console, such as #1F4E79. The palette of pdf, xlsx and charts is made from it. Text stays legible with every colour.",
  },
});
