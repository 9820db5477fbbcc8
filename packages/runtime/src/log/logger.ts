import { pino } from "pino";
import { sanitiseFields, sanitiseText } from "./sanitise-fields.ts";
import type { LogFields } from "./sanitise-fields.ts";

/** Levels, from the most talkative to none. */
export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * Writes one JSON line. The message is static; whatever varies goes into the fields (an error as `error`): with its stacks by `error` and
 * `fatal`, by what it and its causes say otherwise.
 */
export type LogMethod = (message: string, fields?: LogFields) => void;

/** One line of JSON a call, with secrets masked by construction. */
export interface Logger {
  readonly trace: LogMethod;
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
  readonly fatal: LogMethod;
  /** A logger whose lines all carry these fields. */
  child(fields: LogFields): Logger;
}

/** How a logger is made. */
export interface LoggerOptions {
  /** Name of the process in every line: `api`, `worker`. */
  readonly name: string;
  readonly level: LogLevel;
  /** Where lines go; standard output unless said. */
  readonly destination?: { write(line: string): void };
}

/** Makes the process's logger. */
export function createLogger({ name, level, destination }: LoggerOptions): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { name, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  };
  return wrap(destination === undefined ? pino(options) : pino(options, destination));
}

function wrap(line: pino.Logger): Logger {
  const method =
    (level: Exclude<LogLevel, "silent">): LogMethod =>
    (message, fields) => {
      if (!line.isLevelEnabled(level)) return;
      // A warning tells of what is expected to happen now and then: nobody needs to know where in the code it surfaced.
      const detail = level === "error" || level === "fatal" ? "stacks" : "messages";
      line[level](fields === undefined ? {} : sanitiseFields(fields, detail), sanitiseText(message));
    };
  return {
    trace: method("trace"),
    debug: method("debug"),
    info: method("info"),
    warn: method("warn"),
    error: method("error"),
    fatal: method("fatal"),
    child: (fields) => wrap(line.child(sanitiseFields(fields, "messages"))),
  };
}
