# docker build -f deploy/worker.Dockerfile -t report-gateway-worker .
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /source
COPY . .
RUN sh deploy/build-app.sh worker /app
# A folder for files that are being made, which the final stage gives to its user.
RUN mkdir /spool

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 WORKER_PORT=3001
# Files that are being made; the only folder that the worker writes to, best on a volume.
ENV SPOOL_DIR=/spool
COPY --from=build --chown=node:node /spool /spool
VOLUME /spool
COPY --from=build /app /app
WORKDIR /app
USER node
EXPOSE 3001
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3001/health/live').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The main process does little: half the memory matters more than its speed. Renderers have flags of their own.
CMD ["node", "--optimize-for-size", "dist/main.js"]
