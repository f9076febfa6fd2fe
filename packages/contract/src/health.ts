/**
 * The health of the service, its metrics, and the probes. They are no resource under `/v2`: whoever starts the service and whoever
 * watches over it knows these addresses.
 */
import type { Calls } from './call.ts'
import { operations } from './operation.ts'
import { type Infer, list, object, oneOf, optional, schemaOf, text } from './schema.ts'

export const HEALTH_CALLS = {
  /** Its parts, each with what is wrong with it. @throws ServerError where nobody should be sent there */
  health: { call: 'GET /healthz', one: 'status' },
  /** The metrics of its process, in Prometheus' text format. */
  metrics: { call: 'GET /metrics', reads: 'text' },
} as const satisfies Calls

/** They are asked by machines that have no token. */
const PROBE_CALLS = {
  /** Whether the process answers, whatever else is away; for whoever would start it again. */
  live: { call: 'GET /livez', one: 'status' },
  /** Whether requests should be sent here; for load balancers. */
  ready: { call: 'GET /readyz', one: 'status' },
} as const satisfies Calls

const STATUS = oneOf(['ok', 'degraded'], 'degraded: something does not work or is about to, as the messages say; all else works.')

const HEALTH = object({
  status: STATUS,
  parts: list(
    object({
      name: text('records, events, integrity, data, disk, fileHandles, clock, automations, requests'),
      status: STATUS,
      ...optional({ message: text('What is wrong.') }),
    }),
    'What was judged.',
  ),
  ...optional({ damagedDatasets: list(text(), 'Names of the datasets whose events are missing, all or some.') }),
})

/** A service that cannot be used has no health and passes no probe: it answers with an error. */
const PROBE = object({ status: oneOf(['ok'], 'Always ok.') })

export const HEALTH_OPERATIONS = operations(
  HEALTH_CALLS,
  { noun: 'service', tag: 'service' },
  {
    health: {
      operationId: 'getHealth',
      summary: 'Health',
      description:
        'Judges the parts of the service. It is degraded where something does not work or is about to, and 503 where nobody should be sent here: the message says which part, and why.',
      access: 'anyone',
      gives: HEALTH,
      answer: 'The service answers.',
    },
    metrics: {
      operationId: 'getMetrics',
      summary: 'Metrics of this process',
      description: "In Prometheus' text format.",
      gives: schemaOf<string>({ type: 'string', format: 'binary' }),
      answer: 'The metrics.',
      media: 'text/plain',
    },
  },
)

export const PROBES = operations(
  PROBE_CALLS,
  { noun: 'probe', tag: 'service', item: PROBE },
  {
    live: {
      operationId: 'getLive',
      summary: 'Whether the process answers',
      description: 'Looks at nothing else: a service that is started again while its databases are away is no better off.',
      access: 'anyone',
      answer: 'It does.',
    },
    ready: {
      operationId: 'getReady',
      summary: 'Whether requests should be sent here',
      description:
        'Judges what this service needs to be of use, and is 503 once it ends. Servers of events may be away: annotations go on.',
      access: 'anyone',
      answer: 'They should.',
    },
  },
)

export type Health = Infer<typeof HEALTH>
