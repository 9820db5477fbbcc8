/** Times of the reconciler in seconds: between two rounds, the minimum age of files, and the delay of removals. */
export interface ReconcileTimes {
  readonly everySeconds: number;
  readonly minAgeSeconds: number;
  readonly trashSeconds?: number;
}

/** Environment variable with the times of the reconciler. The variables of the service do not accept times as short as a stand needs. */
export const reconcileTimesVariable = "TORTURE_RECONCILE";

export function formatReconcileTimes({ everySeconds, minAgeSeconds, trashSeconds }: ReconcileTimes): string {
  return [everySeconds, minAgeSeconds, ...(trashSeconds === undefined ? [] : [trashSeconds])].join(",");
}

export function readReconcileTimes(environment: NodeJS.ProcessEnv): {
  readonly reconcileEveryMinutes: number;
  readonly reconcileAllHours: number;
  readonly reconcileMinAgeHours: number;
  readonly trashDays?: number;
} | null {
  const text = environment[reconcileTimesVariable];
  if (text === undefined) return null;
  const [every, minAge, trash] = text.split(",").map(Number);
  return {
    reconcileEveryMinutes: every! / 60,
    // Two rounds of a sample between two comparisons of all files.
    reconcileAllHours: (3 * every!) / 3600,
    reconcileMinAgeHours: minAge! / 3600,
    ...(trash === undefined ? {} : { trashDays: trash / 86_400 }),
  };
}
