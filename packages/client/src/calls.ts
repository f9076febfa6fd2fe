/**
 * What every call of the client shares: its options, its budget, and the loop of tries around one request.
 */
import { type Budget, createBudget } from './budget.ts'
import type { Clock } from './clock.ts'
import type { ClientError } from './errors.ts'
import { type Call, type Connection, type Reply, request } from './request.ts'
import { type RetryOptions, retry } from './retry.ts'

/** What every call takes besides its subject. */
export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  signal?: AbortSignal
  /** Total time for this call in milliseconds, retries included. */
  timeoutMs?: number
  /** Told of every failure after which there will be another try. */
  onRetry?: (error: ClientError, waitMs: number) => void
}

/** What all calls of one client have in common. */
export interface Settings {
  connection: Connection
  clock: Clock
  timeoutMs: number
}

export function startBudget({ clock, timeoutMs }: Settings, options: CallOptions): Budget {
  return createBudget(clock, options.timeoutMs ?? timeoutMs, options.signal)
}

/** Sends one request, again where that may help, and takes its reply apart. @throws ClientError */
export async function runCall<T>(
  settings: Settings,
  call: Call,
  read: (reply: Reply) => T,
  options: CallOptions,
  extra: Partial<RetryOptions<T>> = {},
): Promise<T> {
  const budget = extra.budget ?? startBudget(settings, options)
  const attempt = async () => read(await request(settings.connection, call, budget))
  return retry(attempt, { clock: settings.clock, onRetry: options.onRetry, ...extra, budget })
}
