/** How often stored files and records are compared, their minimum age, and the delay of removals. */
export interface ReconcileTimes {
  readonly everySeconds: number;
  readonly minAgeSeconds: number;
  /** Production's by default. */
  readonly trashSeconds?: number;
}

/** For a stand's workers: the configuration accepts nothing below a minute and an hour. */
export const reconcileVariable = "TORTURE_RECONCILE";

export function textOf({ everySeconds, minAgeSeconds, trashSeconds }: ReconcileTimes): string {
  return [everySeconds, minAgeSeconds, ...(trashSeconds === undefined ? [] : [trashSeconds])].join(",");
}

/** Replaces the configured times, if the variable is set. */
export function shortTimes(environment: NodeJS.ProcessEnv): {
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
