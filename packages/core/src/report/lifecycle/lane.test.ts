import { expect, test } from "vitest";
import { chooseNextAttemptLane } from "./lane.ts";
import { reportLanes } from "../../base/vocabulary.ts";

test.each(reportLanes)("a report of the lane %s is quarantined with one failure left or after two losses", (lane) => {
  const lanes = [0, 1, 2, 3].flatMap((losses) =>
    [0, 1, 2].map((failures) => [failures, losses, chooseNextAttemptLane({ lane, failures, losses, maxFailures: 3 })]),
  );
  expect(lanes).toEqual(
    [0, 1, 2, 3].flatMap((losses) =>
      [0, 1, 2].map((failures) => [failures, losses, failures === 2 || losses >= 2 ? "suspect" : lane]),
    ),
  );
});
