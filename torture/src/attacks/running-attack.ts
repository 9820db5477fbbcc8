/** The API instance that is attacked. */
export interface AttackTarget {
  readonly origin: string;
  /** A bearer token that may read and write the inventory, for attackers that have one. */
  readonly token: string;
  /** Locks the table of domains, so that every list of domains waits. Returns the function that unlocks it. */
  lockDomains(): Promise<() => Promise<void>>;
}

/** The responses that an attacker got. */
export interface AttackOutcome {
  /** A summary for a person. */
  readonly seen: string;
  /** The responses that the attacker must not get. */
  readonly unexpected: readonly string[];
}

/** An attack that is under way. */
export interface RunningAttack {
  /** Stops the attack. */
  end(): Promise<AttackOutcome>;
}

/** One way to attack an API instance. */
export interface Attack {
  readonly name: string;
  /** Starts the attack and resolves once it is under way. */
  begin(target: AttackTarget): Promise<RunningAttack>;
}

/** The address of attackers; other callers come from 127.0.0.1. Linux routes all of 127.0.0.0/8 to the loopback interface. */
export const attackerAddress = "127.0.0.2";
