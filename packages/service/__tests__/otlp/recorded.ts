/**
 * Requests as the OpenTelemetry SDK for Python 1.45.2 sent them in November 2026, in base64: a root span with a child that failed, a log
 * record, and a metric of each kind that it makes.
 */
import { readYaml } from '../../../../__tests__/support/read-yaml.ts'

const BODIES = readYaml<Record<'traces' | 'logs' | 'metrics', string>>(import.meta.url, 'recorded.yaml')

export const RECORDED = {
  traces: Buffer.from(BODIES.traces, 'base64'),
  logs: Buffer.from(BODIES.logs, 'base64'),
  metrics: Buffer.from(BODIES.metrics, 'base64'),
} as const
