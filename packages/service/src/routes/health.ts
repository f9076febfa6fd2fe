/**
 * `GET /healthz`: whether records and events can be read, all shards of them, for load balancers and supervisors. No token, no addresses;
 * of details only the names of datasets whose events were found damaged when the service started.
 */
import { HEALTH_PATH } from '@deployment-annotations/contract/health'
import { HealthSchema } from '@deployment-annotations/contract/schemas/health'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../errors.ts'
import { answer, errorAnswers, typed } from '../http/schemas.ts'
import type { Records } from '../records/records.ts'
import { ShardsAwayError } from '../store/server-cluster.ts'
import type { Store } from '../store/store.ts'

/** A store that answers later than this is not healthy. */
const CHECK_MS_MAX = 5_000

interface Looked {
  /** What has to answer. */
  parts: readonly Pick<Store | Records, 'check'>[]
  /** Names of the datasets whose events are missing, all or some. */
  damaged: () => readonly string[]
}

export function addHealthRoute(app: FastifyInstance, { parts, damaged }: Looked): void {
  let checking: Promise<unknown> | undefined
  // Anyone may ask, so concurrent requests share one look at the store: strangers must not keep it busy.
  const check = () => {
    checking ??= inTime(Promise.all(parts.map((part) => part.check()))).finally(() => {
      checking = undefined
    })
    return checking
  }
  typed(app).get(HEALTH_PATH, {
    config: { open: true },
    schema: {
      summary: 'Health',
      description:
        'Checks that records and events can be read, and that all shards answer. It is degraded where events of a dataset are missing; all else works.',
      tags: ['service'],
      response: { 200: answer('The store answers.', HealthSchema), ...errorAnswers() },
    },
    handler: async () => {
      await check()
      const damagedDatasets = [...damaged()]
      return damagedDatasets.length === 0 ? { status: 'ok' as const } : { status: 'degraded' as const, damagedDatasets }
    },
  })
}

async function inTime(check: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_MS_MAX} ms`)), CHECK_MS_MAX)
  })
  try {
    await Promise.race([check, late])
  } catch (cause) {
    // How many shards are away is for anyone to know; where they are is not.
    throw cause instanceof ShardsAwayError ? cause : new ServiceError('unavailable', 'the store cannot be read', { cause })
  } finally {
    clearTimeout(timer)
  }
}
