import { integerText } from "@reports/runtime";
import { z } from "zod";

const origin = z
  .string()
  .refine(
    (text) => URL.parse(text)?.origin === text && /^https?:/.test(text),
    "must be https:// or http:// and a host, such as https://reports.example.com, without a path or a slash at its end",
  );

/** What download links look like and how long they live. docs/contract.md §5.5. */
export const linkSettings = {
  publicUrl: {
    name: "PUBLIC_URL",
    schema: origin,
    optional: true,
    description:
      "Address at which callers reach the API, such as https://reports.example.com, without a path (PUBLIC_BASE_PATH); download links begin with it. Without it they are paths.",
  },
  linkMaxSeconds: {
    name: "LINK_MAX_SECONDS",
    schema: integerText(0, 86_400),
    default: 900,
    description:
      "Longest life of a download link, which gives a file without credentials, in seconds; 0 for no such links: their paths do not exist, and links made before end.",
  },
} as const;
