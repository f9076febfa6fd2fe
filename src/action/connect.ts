/** The client that both steps use, and the lines that its calls write to the log. */
import { type AnnotationsClient, createAnnotationsClient } from '@deployment-annotations/client/annotations'
import type { CallOptions } from '@deployment-annotations/client/calls'
import { openConnection } from '@deployment-annotations/client/connection'
import { USER_AGENT } from '@deployment-annotations/client/version'
import { explainRetry } from '@deployment-annotations/inputs/explain'
import type { ServiceInputs } from '@deployment-annotations/inputs/service'
import { saveDoubt } from './state.ts'
import { createStepTransport } from './step-transport.ts'
import { core } from './toolkit.ts'

/** Only the client's annotations, so that the bundle contains nothing else. */
export function connect(service: ServiceInputs): { annotations: AnnotationsClient } & AsyncDisposable {
  const connection = openConnection({ ...service, userAgent: `${USER_AGENT} step` }, createStepTransport)
  return { annotations: createAnnotationsClient(connection), [Symbol.asyncDispose]: () => connection.transport.close() }
}

export const callOptions: CallOptions = {
  onLostAnswer: saveDoubt,
  onRetry: (failure, waitMs) => core.info(explainRetry(failure, waitMs)),
}
