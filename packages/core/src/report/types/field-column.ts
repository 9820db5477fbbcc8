import { z } from "zod";
import { fieldTitleOf, type Fields } from "../../record/field.ts";
import type { ColumnKind, ReportColumn } from "./column.ts";
import type { ColumnInput } from "./report-type-input.ts";

export function createFieldColumnFactory<F extends Fields>(fields: F) {
  return <Key extends keyof F & string>(
    key: Key,
    width: number,
    more: Partial<Omit<ReportColumn, "key" | "link" | "currency">> = {},
  ): Omit<ColumnInput<Key>, "link" | "currency"> => {
    const { answer, shown } = fields[key]!;
    const { title: _, ...values } = shown ?? {};
    return { key, title: fieldTitleOf(key, fields[key]!), kind: kindOf(answer), width, ...values, ...more };
  };
}

function kindOf(answer: z.ZodType): ColumnKind {
  if (answer instanceof z.ZodNullable) return kindOf(answer.unwrap() as z.ZodType);
  if (answer instanceof z.ZodISODateTime) return "timestamp";
  if (answer instanceof z.ZodBoolean) return "boolean";
  if (answer instanceof z.ZodNumber) return answer.format === null ? "decimal" : "integer";
  return answer instanceof z.ZodArray ? "list" : "text";
}
