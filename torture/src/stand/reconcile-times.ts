/** Times of the reconciler: interval, minimum age of files, and delay of removals. */
export interface ReconcileTimes {
  readonly everySeconds: number;
  readonly minAgeSeconds: number;
  readonly trashSeconds?: number;
}

/** Environment variable with reconciler times for workers of a stand. The service's own variables accept no such short times. */
export const reconcileVariable = "TORTURE_RECONCILE";

export function textOf({ everySeconds, minAgeSeconds, trashSeconds }: ReconcileTimes): string {
  return [everySeconds, minAgeSeconds, ...(trashSeconds === undefined ? [] : [trashSeconds])].join(",");
}

/** Returns the reconciler times of `TORTURE_RECONCILE` as configuration values, or null if that variable is not set. */
export function readReconcileTimes(environment: NodeJS.ProcessEnv): {
  readonly reconcileEveryMinutes: number;
  readonly reconcileMinAgeHours: number;
  readonly trashDays?: number;
} | null {
  const text = environment[reconcileVariable];
  if (text === undefined) return null;
  const [every, minAge, trash] = text.split(",").map(Number);
  return {
    reconcileEveryMinutes: every! / 60,
    reconcileMinAgeHours: minAge! / 3600,
    ...(trash === undefined ? {} : { trashDays: trash / 86_400 }),
  };
}
