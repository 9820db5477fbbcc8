export interface AttackTarget {
  readonly origin: string;
  /** A bearer token that may read and write the inventory, for attacks by an authenticated caller. */
  readonly token: string;
  /** Locks the table `domains`, so that every list of domains waits. Returns a function that unlocks it. */
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

/** Source address of attackers. Other callers use 127.0.0.1. Linux routes all of 127.0.0.0/8 to the loopback interface. */
export const attackerAddress = "127.0.0.2";
