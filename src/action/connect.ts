/**
 * The client as both steps use it, and what its calls tell the log on their way.
 */
import type { CallOptions } from '../client/annotations.ts'
import { type Client, createClient } from '../client/client.ts'
import type { ClientError } from '../client/errors.ts'
import { classify } from '../client/retry.ts'
import { USER_AGENT } from '../client/version.ts'
import type { ServiceInputs } from './inputs.ts'
import { saveDoubt } from './state.ts'
import { toLog } from './text.ts'
import { core } from './toolkit.ts'

export function connect(service: ServiceInputs): Client {
  return createClient({ ...service, userAgent: `${USER_AGENT} step` })
}

export const callOptions: CallOptions = {
  onRetry(error: ClientError, waitMs: number) {
    if (classify(error) === 'ambiguous') saveDoubt()
    core.info(`${toLog(error.message)}; trying again in ${(waitMs / 1_000).toFixed(1)} s`)
  },
}
