import { serveUntilTerminated } from "@reports/testing";
import { startSharedService } from "./console-service.ts";

await serveUntilTerminated(startSharedService);
