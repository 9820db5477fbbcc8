/** Who the gateway takes the caller for. docs/contract.md §7.2. */
export interface Caller {
  /** The principal, as records name it: `basic:alice`, or `issuer|subject`. */
  readonly id: string;
  /** In alphabetical order. docs/contract.md §7.3. */
  readonly authorities: readonly string[];
}
