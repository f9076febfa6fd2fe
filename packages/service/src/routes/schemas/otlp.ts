/**
 * The operations of OTLP over HTTP, as Fastify and the document take them. The messages are OpenTelemetry's, and described there.
 */
import { DATASET_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { OTLP_DATASET_HEADER, OTLP_METRICS_DATASET_HEADER } from '@deployment-annotations/contract/header'
import { byHand, object, optional, text } from '@deployment-annotations/contract/schema'
import type { SignalName } from '@deployment-annotations/edge/otlp/levels'
import { answerOf, errorAnswersOf } from '../../http/schemas.ts'

const DATASET = text('The name of the dataset.', { pattern: DATASET_NAME_PATTERN })
const HEADER = { [OTLP_DATASET_HEADER]: DATASET }
const METRICS_HEADERS = optional({ ...HEADER, [OTLP_METRICS_DATASET_HEADER]: DATASET })

const message = (name: string) => ({
  'application/json': { schema: { type: 'object', title: name } },
  'application/x-protobuf': { schema: { type: 'string', format: 'binary', title: name } },
})

function receive(title: string) {
  return {
    operationId: `receive${title}`,
    summary: `Receive ${title.toLowerCase()} of OpenTelemetry`,
    description:
      'OTLP over HTTP: protobuf or JSON, optionally compressed. Answered in the encoding of the request once the events are on disk and can be queried; what could not be stored is in `partialSuccess`.',
    tags: ['ingest'],
    headers: byHand(object(title === 'Metrics' ? METRICS_HEADERS : HEADER)),
    body: byHand({ content: message(`Export${title}ServiceRequest`) }),
    response: {
      200: answerOf('What was not stored, if anything.', object({}, { additionalProperties: true })),
      ...errorAnswersOf({ 400: '', 401: '', 403: '', 404: 'There is no such dataset.', 409: '', 413: '', 415: '', 422: '' }),
    },
  }
}

export const RECEIVE_OTLP: Readonly<Record<SignalName, ReturnType<typeof receive>>> = {
  traces: receive('Trace'),
  logs: receive('Logs'),
  metrics: receive('Metrics'),
}
