/**
 * `GET /healthz`: whether the store can be read, for load balancers and supervisors. No token, no details but
 * the names of datasets whose events were found damaged when the service started.
 */
import { HEALTH_PATH } from '@deployment-annotations/contract/health'
import { HealthSchema } from '@deployment-annotations/contract/schemas/health'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../errors.ts'
import { answer, errorAnswers, typed } from '../http/schemas.ts'
import type { Store } from '../store/store.ts'

export interface HealthParts extends Pick<Store, 'check'> {
  /** Those whose events are missing, all or some. */
  readonly damagedTables: readonly { dataset: string }[]
}

/** A store that answers later than this is not healthy. */
const CHECK_MS_MAX = 5_000

export function addHealthRoute(app: FastifyInstance, store: HealthParts): void {
  let checking: Promise<void> | undefined
  // Anyone may ask, so concurrent requests share one look at the store: strangers must not keep it busy.
  const check = () => {
    checking ??= inTime(store.check()).finally(() => {
      checking = undefined
    })
    return checking
  }
  typed(app).get(HEALTH_PATH, {
    config: { open: true },
    schema: {
      summary: 'Health',
      description: 'Checks that the store can be read. It is degraded where events of a dataset are missing; all else works.',
      tags: ['service'],
      response: { 200: answer('The store answers.', HealthSchema), ...errorAnswers() },
    },
    handler: async () => {
      await check()
      const damagedDatasets = [...new Set(store.damagedTables.map(({ dataset }) => dataset))].sort()
      return damagedDatasets.length === 0 ? { status: 'ok' as const } : { status: 'degraded' as const, damagedDatasets }
    },
  })
}

async function inTime(check: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_MS_MAX} ms`)), CHECK_MS_MAX)
  })
  try {
    await Promise.race([check, late])
  } catch (cause) {
    throw new ServiceError('unavailable', 'the store cannot be read', { cause })
  } finally {
    clearTimeout(timer)
  }
}
