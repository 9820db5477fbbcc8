/** Whether this run leaves nothing out, as CI's do. */
export const isWholeRun = (process.env["CI"] ?? "") !== "";

/**
 * Returns a function that gives each place its share of cases that go to many places. A whole run gives every case to every place. Other runs
 * divide the cases into `parts` shares, and give each place the share that follows the one of the place before.
 */
export function createCaseDivider(
  isWhole = isWholeRun,
): <Case>(cases: readonly Case[], parts: number) => readonly Case[] {
  let places = 0;
  return (cases, parts) => {
    const share = places++ % parts;
    return isWhole ? cases : cases.filter((_, index) => index % parts === share);
  };
}
