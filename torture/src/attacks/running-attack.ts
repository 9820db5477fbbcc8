export interface AttackTarget {
  readonly origin: string;
  /** A bearer token that may read and write the inventory, for attackers that have one. */
  readonly token: string;
  /** Locks the table of domains, so that every list of domains waits. Returns the function that unlocks it. */
  lockDomains(): Promise<() => Promise<void>>;
}

export interface AttackOutcome {
  readonly seen: string;
  readonly unexpected: readonly string[];
}

export interface RunningAttack {
  end(): Promise<AttackOutcome>;
}

export interface Attack {
  readonly name: string;
  /** Starts the attack and resolves once it is under way. */
  begin(target: AttackTarget): Promise<RunningAttack>;
}

/** The address of attackers; other callers come from 127.0.0.1. Linux routes all of 127.0.0.0/8 to the loopback interface. */
export const attackerAddress = "127.0.0.2";
