/**
 * The client as both steps use it, and what its calls tell the log on their way.
 */
import { type AnnotationsClient, createAnnotationsClient } from '../client/annotations.ts'
import type { CallOptions } from '../client/calls.ts'
import { openConnection } from '../client/connection.ts'
import type { ClientError } from '../client/errors.ts'
import { classify } from '../client/retry.ts'
import { USER_AGENT } from '../client/version.ts'
import type { ServiceInputs } from './inputs.ts'
import { saveDoubt } from './state.ts'
import { toLog } from './text.ts'
import { core } from './toolkit.ts'

/** Only the annotations of the client: what the step does not use is not in its bundle. */
export function connect(service: ServiceInputs): { annotations: AnnotationsClient } & AsyncDisposable {
  const settings = openConnection({ ...service, userAgent: `${USER_AGENT} step` })
  return { annotations: createAnnotationsClient(settings), [Symbol.asyncDispose]: () => settings.connection.transport.close() }
}

export const callOptions: CallOptions = {
  onRetry(error: ClientError, waitMs: number) {
    if (classify(error) === 'ambiguous') saveDoubt()
    core.info(`${toLog(error.message)}; trying again in ${(waitMs / 1_000).toFixed(1)} s`)
  },
}
