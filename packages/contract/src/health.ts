/**
 * Where the health of the service and its metrics are read. The shape of the health is in schemas/health.ts.
 */

export const HEALTH_PATH = '/healthz'
/** The metrics are in Prometheus' text format. */
export const METRICS_PATH = '/metrics'
