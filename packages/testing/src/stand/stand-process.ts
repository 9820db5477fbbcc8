export type ProcessEnvironment = Readonly<Record<string, string | undefined>>;

/** How a process ended: its exit code, the signal that ended it, or the error message if it could not be started. */
export type ProcessEnd = number | string;

/** Options for the automatic restart of a process that ends unexpectedly. The pause before a restart doubles each time, up to `longestDelayMs`. */
export interface ProcessRestartOptions {
  /** Pause before the first restart. Default: 500 ms. */
  readonly firstDelayMs?: number;
  /** Longest pause before a restart. Default: `firstDelayMs`, with which the pause does not grow. */
  readonly longestDelayMs?: number;
  /** Whether a process is restarted even if it was never ready. Default: false, and `ready` rejects if the process ends during its start. */
  readonly retriesStart?: boolean;
}

export interface StandProcessOptions {
  readonly name: string;
  /** Path of the program. Default: the Node.js of this process. */
  readonly program?: string;
  readonly args: readonly string[];
  /** The whole environment of the process, except PATH. */
  readonly environment: ProcessEnvironment;
  readonly cwd?: string | undefined;
  readonly origin?: string;
  /** Path that answers 200 when the process is ready. Default: `/health/ready`. */
  readonly readyPath?: string;
  /** File to which the log is appended. Default: the log is kept in memory. */
  readonly logPath?: string;
  /** Size of the log in memory, in characters. When it is full, its older half is dropped. Default: 2 ** 24. */
  readonly maxLogLength?: number;
  readonly supervised?: ProcessRestartOptions;
  onLine?(line: string): void;
  onChange?(): void;
  /** Called after each end. @param restartMs pause before the restart; null if the process is not restarted. */
  onEnd?(how: ProcessEnd, restartMs: number | null): void;
}

export interface StandProcess extends AsyncDisposable {
  readonly name: string;
  readonly origin: string;
  /** Process ID; null while the process does not run. */
  readonly pid: number | null;
  readonly pids: readonly number[];
  /** Exit code or signal of each end that neither `stop`, `kill` nor `signal("SIGKILL")` caused. */
  readonly unexpectedEnds: readonly string[];
  /** Resolves when the latest run has ended and its log is complete. */
  readonly ended: Promise<ProcessEnd>;
  start(): void;
  /** Resolves when this process itself answers 200 at `readyPath`. Rejects with the end of the log if the process ends and is not restarted. */
  ready(timeoutMs?: number): Promise<void>;
  isReady(): Promise<boolean>;
  log(): string;
  stdout(): string;
  /** Resolves when the log contains the text. Rejects if the process ends without it and is not restarted. */
  waitForLog(text: string, timeoutMs?: number): Promise<void>;
  /** Sends a signal. Returns the process ID; null if the process does not run. After SIGKILL, a supervised process restarts. */
  signal(name: NodeJS.Signals): number | null;
  /** Sends SIGTERM, and SIGKILL if the process still runs after `timeoutMs`. Prevents a restart. Resolves with the exit code; null after a signal. */
  stop(timeoutMs?: number): Promise<number | null>;
  kill(): Promise<void>;
  /** Stops the process, starts it with these additional variables, and waits until it is ready. A later stop or restart takes precedence. */
  restart(environment?: ProcessEnvironment): Promise<void>;
}
