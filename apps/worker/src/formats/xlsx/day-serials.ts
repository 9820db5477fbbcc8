import type { ColumnKind } from "@reports/core/report";
import type { ByteBuffer } from "../../wire/byte-buffer.ts";
import { appendDateSerial, appendTimeSerial } from "./date-serial.ts";
import { appendDurationSerial } from "./duration-serial.ts";

/** Appends a value in days, as spreadsheets store times. Returns false, and appends nothing, for a value that they cannot hold. */
export type ExcelSerialAppender = (out: ByteBuffer, bytes: Uint8Array, start: number, end: number) => boolean;

export const excelSerialAppenders = {
  timestamp: appendDateSerial,
  date: appendDateSerial,
  time: appendTimeSerial,
  duration: appendDurationSerial,
} as const satisfies Readonly<Partial<Record<ColumnKind, ExcelSerialAppender>>>;
