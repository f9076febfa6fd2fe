/**
 * Monitors on a service that does not run them: several services share one ClickHouse server, and another of them has the
 * monitors. If two ran them, everything would be marked twice.
 */
import { ServiceError } from '../../errors.ts'
import type { Monitors } from './monitors.ts'

export function absentMonitors(): Monitors {
  const elsewhere = (): never => {
    throw new ServiceError('unavailable', 'monitors are kept and run by the service with --node 0; ask that one')
  }
  const later = async () => elsewhere()
  return {
    create: later,
    list: elsewhere,
    get: elsewhere,
    change: later,
    remove: later,
    run: async () => undefined,
  }
}
