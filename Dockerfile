# The annotation service as an image: docs/deploy.md. `.ci/dockerfile.js` runs these instructions in empty folders, without an engine,
# and knows no others than are used here.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --omit=dev
RUN npm pack --workspace packages/service
# `--build-arg OMIT=optional` leaves the embedded engine out: 0.5 GB that a service on a ClickHouse server does not need.
ARG OMIT=dev
RUN npm install --prefix /opt/annotation-service --omit=$OMIT --no-audit --no-fund ./deployment-annotations-service-*.tgz

FROM node:24-bookworm-slim
COPY --from=build /opt/annotation-service /opt/annotation-service
# 1000 is the user `node` of the base image.
RUN install -d -m 700 -o 1000 -g 1000 /data
USER 1000:1000
VOLUME /data
ENV PATH=/opt/annotation-service/node_modules/.bin:$PATH NODE_ENV=production ANNOTATION_SERVICE_DATA=/data
EXPOSE 8787
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["node", "-e", "fetch('http://127.0.0.1:8787/livez').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["annotation-service"]
CMD ["--host", "0.0.0.0"]
