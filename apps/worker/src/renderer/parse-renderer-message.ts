import { readThrownMessage, sanitiseUntrustedText, isReportWarningCode, progressPhases } from "@reports/core/base";
import { z } from "zod";
import type { MessageFromRenderer } from "./protocol.ts";

const wholeSchema = z.int().nonnegative();
const textSchema = z.string().transform((given) => sanitiseUntrustedText(given));
const longTextSchema = z.string().transform((given) => sanitiseUntrustedText(given, 8_000));
/** Texts on which the worker acts are refused if they have forbidden characters. Texts that are only shown are cleaned. */
const exactTextSchema = z.string().refine((given) => sanitiseUntrustedText(given) === given);
const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);
const timeSchema = z.string().refine((given) => !Number.isNaN(Date.parse(given)));

const stepSchema = z.object({
  progress: z.object({ phase: z.enum(progressPhases), rowsDone: wholeSchema, rowsTotal: wholeSchema.nullable() }),
  atMs: z.number(),
});
const stepsSchema = z.array(stepSchema);
const spooledFileSchema = z.object({ sizeBytes: wholeSchema, sha256: hashSchema });
const resultSchema = z.object({
  ...spooledFileSchema.shape,
  rowCount: wholeSchema,
  extension: exactTextSchema,
  columns: z.array(z.looseObject({ key: exactTextSchema })),
  dataAsOf: timeSchema,
  warnings: z.array(z.object({ code: z.string().refine(isReportWarningCode), message: textSchema })).max(1_000),
  keptRows: spooledFileSchema.extend({ dataSha256: hashSchema }).nullable(),
});
const errorSchema = z.object({
  name: textSchema.catch("Error"),
  message: z.unknown().transform((message) => readThrownMessage({ message })),
  code: textSchema.nullable().catch(null),
  stack: longTextSchema.nullable().catch(null),
});
const rssBytesSchema = z.number().catch(0);

const messageSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready") }),
  z.object({
    kind: z.literal("unusable"),
    problems: z.array(z.object({ variable: textSchema, message: longTextSchema })),
    isHostFailure: z.boolean(),
  }),
  z.object({ kind: z.literal("progress"), steps: stepsSchema }),
  z.object({ kind: z.literal("done"), result: resultSchema, steps: stepsSchema, rssBytes: rssBytesSchema }),
  z.object({ kind: z.literal("failed"), error: errorSchema, steps: stepsSchema, rssBytes: rssBytesSchema }),
]);

/** Returns null for messages of unknown kinds, because report types can send some too. Throws if a message is incomplete. */
export function parseRendererMessage(message: unknown): MessageFromRenderer | null {
  const kind = (message as { readonly kind?: unknown } | null | undefined)?.kind;
  if (!messageSchema.options.some(({ shape }) => shape.kind.value === kind)) return null;
  return messageSchema.parse(message) as MessageFromRenderer;
}
