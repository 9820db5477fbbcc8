import { serveUntilTerminated } from "@reports/testing";
import { startCliService } from "./cli-service.ts";

await serveUntilTerminated(startCliService);
