import { pino } from "pino";
import { sanitiseLogFields, sanitiseLogText, type LogFields } from "./sanitise-log-fields.ts";

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * Writes one line of JSON. The message is static, variable parts are fields, and an error is the field `error`. Only the levels `error` and
 * `fatal` write stacks.
 */
export type LogMethod = (message: string, fields?: LogFields) => void;

export interface Logger {
  readonly trace: LogMethod;
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
  readonly fatal: LogMethod;
  child(fields: LogFields): Logger;
}

export interface LoggerOptions {
  readonly name: string;
  readonly level: LogLevel;
  readonly destination?: { write(line: string): void };
}

export function createLogger({ name, level, destination }: LoggerOptions): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { name, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  };
  return wrapLogger(destination === undefined ? pino(options) : pino(options, destination));
}

function wrapLogger(line: pino.Logger): Logger {
  const method =
    (level: Exclude<LogLevel, "silent">): LogMethod =>
    (message, fields) => {
      if (!line.isLevelEnabled(level)) return;
      // Warnings report expected events, for which a stack has no information.
      const detail = level === "error" || level === "fatal" ? "stacks" : "messages";
      line[level](fields === undefined ? {} : sanitiseLogFields(fields, detail), sanitiseLogText(message));
    };
  return {
    trace: method("trace"),
    debug: method("debug"),
    info: method("info"),
    warn: method("warn"),
    error: method("error"),
    fatal: method("fatal"),
    child: (fields) => wrapLogger(line.child(sanitiseLogFields(fields, "messages"))),
  };
}
