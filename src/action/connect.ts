/**
 * The client as both steps use it, and what its calls write to the log along the way.
 */
import { type AnnotationsClient, createAnnotationsClient } from '@deployment-annotations/client/annotations'
import type { CallOptions } from '@deployment-annotations/client/calls'
import { openConnection } from '@deployment-annotations/client/connection'
import { USER_AGENT } from '@deployment-annotations/client/version'
import { explainRetry } from '@deployment-annotations/inputs/explain'
import type { ServiceInputs } from '@deployment-annotations/inputs/service'
import { saveDoubt } from './state.ts'
import { createStepTransport } from './step-transport.ts'
import { core } from './toolkit.ts'

/** Only the annotations of the client: what the step does not use is not in its bundle. */
export function connect(service: ServiceInputs): { annotations: AnnotationsClient } & AsyncDisposable {
  const connection = openConnection({ ...service, userAgent: `${USER_AGENT} step` }, createStepTransport)
  return { annotations: createAnnotationsClient(connection), [Symbol.asyncDispose]: () => connection.transport.close() }
}

export const callOptions: CallOptions = {
  onLostAnswer: saveDoubt,
  onRetry: (failure, waitMs) => core.info(explainRetry(failure, waitMs)),
}
