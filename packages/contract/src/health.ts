/**
 * Where the health of the service and its metrics are read. The shape of the health is in schemas/health.ts.
 */

/** Whether the process answers, whatever else is away; for whoever would start it again. */
export const LIVE_PATH = '/livez'
/** Whether requests should be sent here; for load balancers. */
export const READY_PATH = '/readyz'
/** All parts, for people and alarms. */
export const HEALTH_PATH = '/healthz'
/** The metrics are in Prometheus' text format. */
export const METRICS_PATH = '/metrics'
