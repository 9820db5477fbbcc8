/** An undefined variable is not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** How a process ended: its exit code, the signal that ended it, or why it could not be started. */
export type ProcessEnd = number | string;

/** How a supervised process starts again after an end that nobody asked for. The pause doubles each time. */
export interface Supervision {
  /** Default: 500 ms. */
  readonly firstDelayMs?: number;
  /** Default: the pause stays the same. */
  readonly longestDelayMs?: number;
  /** Restarts a process that was never ready. Without it, `ready` fails when the process ends during its start. */
  readonly retriesStart?: boolean;
}

export interface ProcessOptions {
  /** In error messages, such as `worker-1`. */
  readonly name: string;
  /** Default: this Node. */
  readonly program?: string;
  readonly args: readonly string[];
  /** The whole environment, apart from PATH. */
  readonly environment: Environment;
  readonly cwd?: string | undefined;
  /** Where the process serves `readyPath`, such as `http://127.0.0.1:3000`. */
  readonly origin?: string;
  /** Default: `/health/ready`. */
  readonly readyPath?: string;
  /** The file to which the log is appended. Default: the log is kept in memory. */
  readonly logPath?: string;
  /** Characters of the log that are kept in memory, of which the older half may be missing. Default: 2 ** 24. */
  readonly maxLogLength?: number;
  readonly supervised?: Supervision;
  /** Called for each line of the log, unless it goes to a file. */
  onLine?(line: string): void;
  /** Called after each start and each end. */
  onChange?(): void;
  /** Called after each end. @param restartMs pause before the restart; null if there is none. */
  onEnd?(how: ProcessEnd, restartMs: number | null): void;
}

/** Disposing stops it. */
export interface StandProcess extends AsyncDisposable {
  readonly name: string;
  readonly origin: string;
  /** Null while it does not run. */
  readonly pid: number | null;
  /** Every process ID that it had, in order. */
  readonly pids: readonly number[];
  /** Each end that was neither a `stop` nor a kill by the harness: the exit code or the signal. */
  readonly unexpectedEnds: readonly string[];
  /** Resolves when the latest process has ended and its log is complete. */
  readonly ended: Promise<ProcessEnd>;
  /** Does nothing if it runs. */
  start(): void;
  /** Resolves when this very process answers 200 at `readyPath`. Rejects with the end of its log if it ends for good. */
  ready(timeoutMs?: number): Promise<void>;
  isReady(): Promise<boolean>;
  /** Everything that it wrote. */
  log(): string;
  /** Its standard output alone. Empty if the log goes to a file. */
  stdout(): string;
  /** Resolves when its log contains the text. Rejects if it ends for good without it. */
  waitForLog(text: string, timeoutMs?: number): Promise<void>;
  /** Sends a signal and returns the process ID; null if it does not run. A supervised process that gets SIGKILL starts again. */
  signal(name: NodeJS.Signals): number | null;
  /** SIGTERM, then SIGKILL, and no restart. Resolves with the exit code; null if a signal ended it. */
  stop(timeoutMs?: number): Promise<number | null>;
  /** SIGKILL, and no restart. */
  kill(): Promise<void>;
  /** Stops it and starts it again with these variables in addition, and waits until it is ready. A later stop or restart overrides it. */
  restart(environment?: Environment): Promise<void>;
}
