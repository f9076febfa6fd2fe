#!/bin/sh
# Stands in for a deployment. In the failing one, DEPLOY_FAILS is set.
exit "${DEPLOY_FAILS:-0}"
