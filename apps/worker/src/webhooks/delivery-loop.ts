import type { DeliveryResult, ClaimedDelivery } from "@reports/core/webhook";
import type { Logger } from "@reports/runtime";
import { setTimeout as wait } from "node:timers/promises";

export interface DeliveryAttemptOptions {
  readonly signal: AbortSignal;
  /** Called when the host name is resolved. Until then the owner gets no other slot, so that a silent name server blocks only one. */
  readonly onResolved: () => void;
}

export interface DeliveryLoopOptions {
  /** Claims the next due delivery of an owner outside the list. Returns null if there is none. */
  readonly claim: (exceptOwners: readonly string[]) => Promise<ClaimedDelivery | null>;
  readonly deliver: (taken: ClaimedDelivery, attempt: DeliveryAttemptOptions) => Promise<DeliveryResult>;
  /** Number of slots. An owner gets another slot only while there are more free slots than the owner holds. */
  readonly concurrency: number;
  /** Pause after no due delivery was found. Up to a quarter is added at random, so that several workers don't read at the same moments. */
  readonly everyMs: number;
  readonly onResult: (result: DeliveryResult) => void;
  readonly logger: Logger;
}

export interface DeliveryLoop {
  start(): void;
  stop(): Promise<void>;
}

interface DeliverySlot {
  readonly owner: string;
  isResolving: boolean;
}

export function createDeliveryLoop(options: DeliveryLoopOptions): DeliveryLoop {
  const stopping = new AbortController();
  const { signal } = stopping;
  const slots = new Set<DeliverySlot>();
  let change = Promise.withResolvers<void>();

  const wake = (): void => {
    change.resolve();
    change = Promise.withResolvers();
  };

  const ownersAtLimit = (): readonly string[] => {
    const free = options.concurrency - slots.size;
    const held = Map.groupBy(slots, ({ owner }) => owner);
    return [...held]
      .filter(([, own]) => own.length >= free || own.some((slot) => slot.isResolving))
      .map(([owner]) => owner);
  };

  const send = async (taken: ClaimedDelivery, slot: DeliverySlot): Promise<void> => {
    const fields = { webhookId: taken.webhookId, deliveryId: taken.id, eventId: taken.eventId, event: taken.type };
    const onResolved = (): void => {
      slot.isResolving = false;
      wake();
    };
    try {
      const result = await options.deliver(taken, { signal, onResolved });
      options.onResult(result);
      logResult(options.logger, fields, result);
    } catch (error) {
      options.logger.error("delivery of a webhook could not be written down; it is sent again", { ...fields, error });
    } finally {
      slots.delete(slot);
      wake();
    }
  };

  const rest = async (changed: Promise<void>, ms: number): Promise<void> => {
    const over = new AbortController();
    const pause = wait(ms, undefined, { signal: AbortSignal.any([signal, over.signal]) });
    await Promise.race([changed, pause.catch(() => undefined)]);
    over.abort();
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const changed = change.promise;
      if (slots.size >= options.concurrency) {
        await changed;
        continue;
      }
      const taken = await options.claim(ownersAtLimit()).catch((error: unknown) => {
        options.logger.warn("deliveries of webhooks cannot be read, retrying", { error });
        return null;
      });
      if (taken === null) {
        await rest(changed, options.everyMs * (1 + Math.random() / 4));
        continue;
      }
      const slot = { owner: taken.owner, isResolving: true };
      slots.add(slot);
      void send(taken, slot);
    }
    while (slots.size > 0) await change.promise;
  };

  let loop: Promise<void> | undefined;
  return {
    start: () => void (loop ??= run()),
    async stop() {
      stopping.abort();
      await loop;
    },
  };
}

function logResult(logger: Logger, fields: Readonly<Record<string, unknown>>, result: DeliveryResult): void {
  const { kind, ...rest } = result;
  if (kind === "delivered") return logger.info("webhook delivered", { ...fields, ...rest });
  if ("pause" in result && result.pause !== null)
    return logger.warn("webhook paused", { ...fields, because: result.pause });
  if (kind === "failed") return logger.info("delivery of a webhook failed", { ...fields, ...rest });
  if (kind === "dropped") logger.info("delivery of a webhook dropped", { ...fields, ...rest });
}
