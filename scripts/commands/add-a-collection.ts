import { join } from "node:path";
import { runCommand } from "@reports/commands";
import { assertPackagesUnchanged, copyInstalledCheckout } from "../machine/copy-checkout.ts";
import { createTrialFolder } from "../machine/trial-machine.ts";
import { followCollectionGuide } from "../collection/follow-collection-guide.ts";
import { createTimedPrinter, rejectOnAbort } from "./command-stand.ts";

await runCommand(async ({ signal }) => {
  const say = createTimedPrinter();
  await using folder = await createTrialFolder("reports-collection-");
  const checkout = join(folder.path, "checkout");
  await copyInstalledCheckout(checkout);
  await Promise.race([followCollectionGuide(checkout, say), rejectOnAbort(signal)]);
  await assertPackagesUnchanged(checkout);
});
// Exits explicitly, because after an interruption the steps would continue in a folder that is already removed.
process.exit();
