# One image for all services; docker-compose.yml says which one a container runs.

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY libs libs
COPY apps apps
COPY scripts/compress-console.mjs scripts/
RUN node node_modules/typescript/bin/tsc -p tsconfig.build.json \
  && node node_modules/vite/bin/vite.js build --config apps/console/vite.config.ts --logLevel warn \
  && node scripts/compress-console.mjs dist/apps/console \
  && npm prune --omit=dev

FROM node:24-slim
ENV NODE_ENV=production LISTEN=0.0.0.0
WORKDIR /app
# Owned by root and run by another: a service cannot change its own code.
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
# a volume that is mounted here belongs to who runs the services
RUN install -d -o node -g node -m 700 /var/lib/pillwatch
USER node
ENV HEALTH_PORT=3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HEALTH_PORT}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/apps/device-api/src/main.js"]
