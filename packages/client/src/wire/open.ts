/** One of these values, or one that a later version of the gateway adds: answers are open (docs/contract.md §7.7). */
export type Open<Known extends string> = Known | (string & {});
