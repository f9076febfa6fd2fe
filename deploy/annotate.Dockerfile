# The command `annotate` as an image, made of the files of a release: docs/releasing.md.
FROM node:24-bookworm-slim
COPY --chmod=755 annotate.cjs /usr/local/bin/annotate
# 1000 is the user `node` of the base image.
USER 1000:1000
ENTRYPOINT ["annotate"]
