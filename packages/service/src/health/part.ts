/**
 * What the health of the service is made of: parts, each judged by itself, and said with what is wrong. Anyone may ask, so no message
 * has a path, an address or a name of ours in it.
 */
import { ShardsAwayError } from '@deployment-annotations/event-store/server/server-cluster'

/** `degraded`: something does not work, or is about to; `failed`: nobody should be sent here. */
export interface Judgement {
  status: 'ok' | 'degraded' | 'failed'
  message?: string
}

export interface Part {
  name: string
  /** Resolves with nothing where all is well. A rejection is a failure, whose cause is for the log. */
  judge(): Promise<Judgement | undefined>
}

interface JudgedPart extends Judgement {
  name: string
  /** Of a failure, for the log alone. */
  cause?: unknown
}

/** What answers later than this is not healthy. */
const JUDGE_MS_MAX = 5_000

const OK: Judgement = { status: 'ok' }

/** Never rejects. */
export async function judgePart({ name, judge }: Part): Promise<JudgedPart> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Judgement>((resolve) => {
    const message = `no answer within ${JUDGE_MS_MAX / 1_000} s`
    timer = setTimeout(() => resolve({ status: 'failed', message }), JUDGE_MS_MAX)
  })
  try {
    return { name, ...((await Promise.race([judge(), late])) ?? OK) }
  } catch (error) {
    // How many shards are away is for anyone to know; where they are is not.
    const message = error instanceof ShardsAwayError ? error.message : 'it cannot be read'
    return { name, status: 'failed', message, cause: error }
  } finally {
    clearTimeout(timer)
  }
}
