import { EmptyState, QueryContent } from "../parts/notices.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { useQuery } from "../shell/use-query.ts";
import { Lanes } from "./lanes.tsx";
import { Workers } from "./workers.tsx";

const pollMs = 5_000;
export function QueuePage() {
  const result = useQuery(
    "queue",
    async (gateway, options) => ({
      lanes: await gateway.lanes.list(options),
      workers: await gateway.workers.list(options),
    }),
    () => pollMs,
  );
  return (
    <>
      <PageHead
        eyebrow="Operations"
        title="Queue"
        lead="Reports that are waiting and running, and the workers that make them."
      />
      <QueryContent result={result}>
        {({ lanes, workers }) => (
          <>
            <Lanes lanes={lanes} />
            <section class="apart" aria-labelledby="workers">
              <h2 id="workers">Workers</h2>
              {workers.length === 0 ? (
                <EmptyState title="No worker is running">
                  <p>
                    Reports can be started, but they wait. Start a worker, or check the logs of those that should be
                    running.
                  </p>
                </EmptyState>
              ) : (
                <Workers workers={workers} />
              )}
            </section>
          </>
        )}
      </QueryContent>
    </>
  );
}
