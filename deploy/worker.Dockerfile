# docker build -f deploy/worker.Dockerfile -t report-gateway-worker .
# A tag can move: where you know the digest of the base that you trust, build with --build-arg NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:24.21.0-bookworm-slim
FROM ${NODE_IMAGE} AS build
ENV npm_config_cache=/cache/npm PNPM_CONFIG_STORE_DIR=/cache/pnpm
WORKDIR /source
# Only these files decide which packages are downloaded. A changed source does not download them again.
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
COPY patches patches
COPY deploy/fetch-packages.sh deploy/
COPY scripts/install-pnpm.mjs scripts/
RUN --mount=type=cache,id=report-gateway,target=/cache sh deploy/fetch-packages.sh
COPY . .
# The commit, for report_build_info: --build-arg REVISION=$(git rev-parse HEAD)
ARG REVISION
RUN --mount=type=cache,id=report-gateway,target=/cache sh deploy/build-app.sh worker /app
# A folder for files that are being made, which the final stage gives to its user.
RUN mkdir /spool

FROM ${NODE_IMAGE}
# /app/bin has the commands for operators: reconcile, store-marker, check-report-types.
ENV NODE_ENV=production HOST=0.0.0.0 WORKER_PORT=3001 PATH=/app/bin:$PATH
# Node's own default is 4, and of those a folder of files that hangs may hold all but two (docs/reference/object-store.md).
ENV UV_THREADPOOL_SIZE=8
# Files that are being made; the only folder that the worker writes to, best on a volume.
ENV SPOOL_DIR=/spool
COPY --from=build --chown=node:node /spool /spool
VOLUME /spool
# The address of the sources: --build-arg SOURCE=https://git.example.com/report-gateway
ARG REVISION SOURCE
LABEL org.opencontainers.image.version="1.0.0" \
  org.opencontainers.image.title="report-gateway-worker" \
  org.opencontainers.image.description="The worker of Report Gateway: makes reports and stores their files." \
  org.opencontainers.image.licenses="LicenseRef-Internal" \
  org.opencontainers.image.revision="$REVISION" \
  org.opencontainers.image.source="$SOURCE"
COPY --from=build /app /app
WORKDIR /app
USER node
EXPOSE 3001
HEALTHCHECK --interval=10s --timeout=3s --start-period=90s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.WORKER_PORT + '/health/live').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Loading its modules takes less memory with the first flag, which the process takes back once they are loaded (apps/worker/src/main.ts).
# It collects garbage on its own thread: to share out so small a heap costs more than it saves.
CMD ["node", "--optimize-for-size", "--single-threaded-gc", "dist/main.js"]
