# docker build -f deploy/api.Dockerfile -t report-gateway-api .
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /source
COPY . .
RUN sh deploy/build-app.sh api /app

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
COPY --from=build /app /app
WORKDIR /app
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3000/health/live').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
