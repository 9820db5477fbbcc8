import type { Settlement, TakenDelivery } from "@reports/core";
import type { Logger } from "@reports/runtime";
import { setTimeout as wait } from "node:timers/promises";

/** How deliveries are taken and sent. */
export interface DeliveryLoopOptions {
  /** The next one that is due of any owner but these; null when nothing is. */
  readonly take: (besides: readonly string[]) => Promise<TakenDelivery | null>;
  readonly deliver: (taken: TakenDelivery, signal: AbortSignal) => Promise<Settlement>;
  /** How many are sent at once. An owner is given a further place only while more are free than they have, so that others find one. */
  readonly atOnce: number;
  /** How soon it is looked again when nothing was due; up to a quarter longer, so that workers do not act in step. */
  readonly everyMs: number;
  readonly onSettled: (settlement: Settlement) => void;
  readonly logger: Logger;
}

/** Sends what is due, again and again. */
export interface DeliveryLoop {
  start(): void;
  /** Takes nothing more; what is being sent is let go and keeps its place. Resolves when nothing runs any more. */
  stop(): Promise<void>;
}

/** Makes the loop of one worker. It stands beside the reports' runner, so that neither takes the other's places. */
export function createDeliveryLoop(options: DeliveryLoopOptions): DeliveryLoop {
  const stopping = new AbortController();
  const { signal } = stopping;
  /** What is being sent, each with the owner of its webhook. */
  const running = new Map<Promise<void>, string>();

  const ownersWithEnough = (): readonly string[] => {
    const free = options.atOnce - running.size;
    const places = new Map<string, number>();
    for (const owner of running.values()) places.set(owner, (places.get(owner) ?? 0) + 1);
    return [...places].filter(([, held]) => held >= free).map(([owner]) => owner);
  };

  const send = async (taken: TakenDelivery): Promise<void> => {
    const fields = { webhookId: taken.webhookId, deliveryId: taken.id, eventId: taken.eventId, event: taken.type };
    try {
      const settlement = await options.deliver(taken, signal);
      options.onSettled(settlement);
      tell(options.logger, fields, settlement);
    } catch (error) {
      options.logger.error("delivery of a webhook could not be written down; it is sent again", { ...fields, error });
    }
  };

  /** Until it is time to look again, or an endpoint is free of which more may wait. */
  const rest = async (): Promise<void> => {
    const over = new AbortController();
    const pauseMs = options.everyMs * (1 + Math.random() / 4);
    const pause = wait(pauseMs, undefined, { signal: AbortSignal.any([signal, over.signal]) });
    await Promise.race([...running.keys(), pause.catch(() => undefined)]);
    over.abort();
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      if (running.size >= options.atOnce) {
        await Promise.race(running.keys());
        continue;
      }
      const taken = await options.take(ownersWithEnough()).catch((error: unknown) => {
        options.logger.warn("deliveries of webhooks cannot be read, retrying", { error });
        return null;
      });
      if (taken === null) {
        await rest();
        continue;
      }
      const sending: Promise<void> = send(taken).finally(() => running.delete(sending));
      running.set(sending, taken.owner);
    }
    await Promise.all(running.keys());
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

function tell(logger: Logger, fields: Readonly<Record<string, unknown>>, settlement: Settlement): void {
  const { kind, ...rest } = settlement;
  if (kind === "delivered") return logger.info("webhook delivered", { ...fields, ...rest });
  if ("pause" in settlement && settlement.pause !== null)
    return logger.warn("webhook paused", { ...fields, because: settlement.pause });
  if (kind === "failed") return logger.info("delivery of a webhook failed", { ...fields, ...rest });
  if (kind === "dropped") logger.info("delivery of a webhook dropped", { ...fields, ...rest });
}
