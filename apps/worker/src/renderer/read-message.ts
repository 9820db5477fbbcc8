import { foreignMessage, foreignText, isReportWarningCode, progressPhases } from "@reports/core/base";
import { z } from "zod";
import type { FromRenderer } from "./protocol.ts";

const whole = z.int().nonnegative();
const text = z.string().transform((given) => foreignText(given));
const longText = z.string().transform((given) => foreignText(given, 8_000));
/** Texts that decide something are refused if they have forbidden characters; other texts are cleaned. */
const exact = z.string().refine((given) => foreignText(given) === given);
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const time = z.string().refine((given) => !Number.isNaN(Date.parse(given)));

const step = z.object({
  progress: z.object({ phase: z.enum(progressPhases), rowsDone: whole, rowsTotal: whole.nullable() }),
  atMs: z.number(),
});
const steps = z.array(step);
const spooled = z.object({ sizeBytes: whole, sha256: hash });
const result = z.object({
  ...spooled.shape,
  rowCount: whole,
  extension: exact,
  columns: z.array(z.looseObject({ key: exact })),
  dataAsOf: time,
  warnings: z.array(z.object({ code: z.string().refine(isReportWarningCode), message: text })).max(1_000),
  keptRows: spooled.extend({ dataSha256: hash }).nullable(),
});
const error = z.object({
  name: text.catch("Error"),
  message: z.unknown().transform((message) => foreignMessage({ message })),
  code: text.nullable().catch(null),
  stack: longText.nullable().catch(null),
});
const rssBytes = z.number().catch(0);

const schema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready") }),
  z.object({
    kind: z.literal("unusable"),
    problems: z.array(z.object({ variable: text, message: longText })),
    isHostFailure: z.boolean(),
  }),
  z.object({ kind: z.literal("progress"), steps }),
  z.object({ kind: z.literal("done"), result, steps, rssBytes }),
  z.object({ kind: z.literal("failed"), error, steps, rssBytes }),
]);

/** Reads a message of a renderer. Returns null for messages of other kinds, because report types can use the channel too. Throws for an incomplete message. */
export function readMessage(message: unknown): FromRenderer | null {
  const kind = (message as { readonly kind?: unknown } | null | undefined)?.kind;
  if (!schema.options.some(({ shape }) => shape.kind.value === kind)) return null;
  return schema.parse(message) as FromRenderer;
}
