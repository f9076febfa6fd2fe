/**
 * The health of the service on the wire, and where its figures are.
 */
import type { Static } from 'typebox'
import type { HealthSchema } from './schemas/health.ts'

export type Health = Static<typeof HealthSchema>

export const HEALTH_PATH = '/healthz'
/** In Prometheus' text format. */
export const METRICS_PATH = '/metrics'
