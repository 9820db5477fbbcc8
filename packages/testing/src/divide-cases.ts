export const isFullTestRun = (process.env["CI"] ?? "") !== "";

/**
 * Returns a function that selects test cases for one subject, such as an endpoint. In CI, it selects all cases for every subject. Other runs divide
 * the cases into `parts` shares to save time, and each call selects the next share. After at least `parts` calls, every case is tested, but with only
 * some subjects. With fewer calls, some cases are tested only in CI: a divider that is called once always selects its first share.
 */
export function createTestCaseDivider(
  isWhole = isFullTestRun,
): <Case>(cases: readonly Case[], parts: number) => readonly Case[] {
  let places = 0;
  return (cases, parts) => {
    const share = places++ % parts;
    return isWhole ? cases : cases.filter((_, index) => index % parts === share);
  };
}
