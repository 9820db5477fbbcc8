/** How often stored files and records are compared, how old they have to be, and how long what is to be removed is kept. */
export interface ReconcileTimes {
  readonly everySeconds: number;
  readonly minAgeSeconds: number;
  /** Left out: as long as in production. */
  readonly trashSeconds?: number;
}

/** In the environment of a stand's workers; the configuration knows nothing below a minute and an hour. */
export const reconcileVariable = "TORTURE_RECONCILE";

/** As the variable's text. */
export function textOf({ everySeconds, minAgeSeconds, trashSeconds }: ReconcileTimes): string {
  return [everySeconds, minAgeSeconds, ...(trashSeconds === undefined ? [] : [trashSeconds])].join(",");
}

/** What takes the place of the configuration's own; nothing where the variable is not set. */
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
