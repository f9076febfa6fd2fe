/**
 * `GET /healthz`: the parts of the service, each with what is wrong with it, for load balancers, supervisors and people. No token, no
 * addresses, no paths; of names only those of datasets whose events were found damaged when the service started.
 */
import { HEALTH_PATH, type Health } from '@deployment-annotations/contract/health'
import { HealthSchema } from '@deployment-annotations/contract/schemas/health'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../errors.ts'
import { judgePart, type Part } from '../health/part.ts'
import { answer, errorAnswers, typed } from '../http/schemas.ts'
import type { Log } from '../log.ts'

interface Looked {
  parts: readonly Part[]
  /** Names of the datasets whose events are missing, all or some. */
  damaged: () => readonly string[]
  log: Log
}

export function addHealthRoute(app: FastifyInstance, looked: Looked): void {
  let judging: Promise<Health> | undefined
  typed(app).get(HEALTH_PATH, {
    config: { open: true },
    schema: {
      summary: 'Health',
      description:
        'Judges the parts of the service. It is degraded where something does not work or is about to, and 503 where nobody should be sent here: the message says which part, and why.',
      tags: ['service'],
      response: { 200: answer('The service answers.', HealthSchema), ...errorAnswers() },
    },
    handler: () => {
      // Anyone may ask, so concurrent requests share one look: strangers must not keep the store busy.
      judging ??= judge(looked).finally(() => {
        judging = undefined
      })
      return judging
    },
  })
}

async function judge({ parts, damaged, log }: Looked): Promise<Health> {
  const judged = await Promise.all(parts.map((part) => judgePart(part, log)))
  const failed = judged.filter(({ status }) => status === 'failed')
  if (failed.length > 0)
    throw new ServiceError('unavailable', failed.map(({ name, message }) => `${name}: ${message}`).join('; '))
  const damagedDatasets = [...damaged()]
  const isOk = damagedDatasets.length === 0 && judged.every(({ status }) => status === 'ok')
  return {
    status: isOk ? 'ok' : 'degraded',
    parts: judged as Health['parts'],
    ...(damagedDatasets.length > 0 && { damagedDatasets }),
  }
}
