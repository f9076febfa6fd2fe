#!/bin/sh
# Stands in for a deployment. In the failing one, DEPLOY_FAILS is set, perhaps to the argument with which it fails.
echo "deployed $*"
[ -z "$DEPLOY_HANGS" ] || sleep 60
case "$DEPLOY_FAILS" in '') ;; 1 | "$1") exit 1 ;; esac
