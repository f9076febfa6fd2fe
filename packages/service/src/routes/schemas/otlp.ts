/**
 * The operations of OTLP over HTTP, as Fastify and the document take them. The messages are OpenTelemetry's, and described there.
 */
import { DATASET_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { OTLP_DATASET_HEADER, OTLP_METRICS_DATASET_HEADER } from '@deployment-annotations/contract/header'
import { DOCUMENTED } from '@deployment-annotations/contract/schemas/parts'
import Type from '@deployment-annotations/contract/schemas/type'
import type { SignalName } from '@deployment-annotations/edge/otlp/levels'
import { documented, errorAnswers, writtenAnswer } from '../../http/schemas.ts'

const message = (name: string) => ({
  'application/json': { schema: { type: 'object', title: name } },
  'application/x-protobuf': { schema: { type: 'string', format: 'binary', title: name } },
})

function receive(title: string) {
  const request = `Export${title}ServiceRequest`
  const isMetrics = title === 'Metrics'
  const Header = Type.String({ description: 'The name of the dataset.', pattern: DATASET_NAME_PATTERN.source })
  return {
    operationId: `receive${title}`,
    summary: `Receive ${title.toLowerCase()} of OpenTelemetry`,
    description:
      'OTLP over HTTP: protobuf or JSON, optionally compressed. Answered in the encoding of the request once the events are on disk and can be queried; what could not be stored is in `partialSuccess`.',
    tags: ['ingest'],
    headers: documented(
      Type.Object({
        [OTLP_DATASET_HEADER]: isMetrics ? Type.Optional(Header) : Header,
        ...(isMetrics && { [OTLP_METRICS_DATASET_HEADER]: Type.Optional(Header) }),
      }),
    ),
    body: Type.Unsafe<unknown>({ [DOCUMENTED]: { content: message(request) } }),
    response: {
      200: writtenAnswer<Buffer>('What was not stored, if anything.', Type.Object({}, { additionalProperties: true })),
      ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 422),
    },
  }
}

export const RECEIVE_OTLP: Readonly<Record<SignalName, ReturnType<typeof receive>>> = {
  traces: receive('Trace'),
  logs: receive('Logs'),
  metrics: receive('Metrics'),
}
