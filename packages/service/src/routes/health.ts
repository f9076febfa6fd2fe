/**
 * `GET /healthz`: the parts of the service, each with what is wrong with it, for load balancers, supervisors and people. No token, no
 * addresses, no paths; of names only those of datasets whose events were found damaged when the service started.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { HEALTH_PATH } from '@deployment-annotations/contract/health'
import type { Health } from '@deployment-annotations/contract/schemas/health'
import { HealthSchema } from '@deployment-annotations/contract/schemas/health'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { FastifyInstance } from 'fastify'
import { judgePart, type Part } from '../health/part.ts'
import { answer, errorAnswers, typed } from '../http/schemas.ts'

interface Looked {
  parts: readonly Part[]
  /** Names of the datasets whose events are missing, all or some. */
  damaged: () => readonly string[]
}

/** How long a look may take before the one before it is the answer, */
const QUICK_MS = 50
/** and how old that may be. */
const RECENT_MS = 2_000

export function addHealthRoute(app: FastifyInstance, looked: Looked): void {
  let judging: Promise<Health> | undefined
  let last: { health: Health; atMs: number } | undefined
  const look = async () => {
    const health = await judge(looked)
    last = { health, atMs: performance.now() }
    return health
  }
  typed(app).get(HEALTH_PATH, {
    config: { open: true },
    schema: {
      summary: 'Health',
      description:
        'Judges the parts of the service. It is degraded where something does not work or is about to, and 503 where nobody should be sent here: the message says which part, and why.',
      tags: ['service'],
      response: { 200: answer('The service answers.', HealthSchema), ...errorAnswers() },
    },
    handler: async () => {
      // Anyone may ask, so concurrent requests share one look: strangers must not keep the store busy.
      judging ??= look().finally(() => {
        judging = undefined
      })
      if (!last || performance.now() - last.atMs > RECENT_MS) return judging
      // Where there is much to do, the look waits for its turn as all do.
      const recent = sleep(QUICK_MS, last.health, { ref: false })
      return Promise.race([judging, recent])
    },
  })
}

async function judge({ parts, damaged }: Looked): Promise<Health> {
  const judged = await Promise.all(parts.map(judgePart))
  const failed = judged.filter(({ status }) => status === 'failed')
  if (failed.length > 0) {
    const message = failed.map(({ name, message }) => `${name}: ${message}`).join('; ')
    throw new ServiceError('unavailable', message, { cause: failed.find(({ cause }) => cause !== undefined)?.cause })
  }
  const damagedDatasets = [...damaged()]
  const isOk = damagedDatasets.length === 0 && judged.every(({ status }) => status === 'ok')
  return {
    status: isOk ? 'ok' : 'degraded',
    parts: judged as Health['parts'],
    ...(damagedDatasets.length > 0 && { damagedDatasets }),
  }
}
