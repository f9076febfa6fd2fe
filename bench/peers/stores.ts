/** The stores that are compared. Deliberately not here: how they are asked. */
import { openChdb } from './chdb.ts'
import { openPostgres } from './postgres.ts'
import { openService } from './service.ts'
import type { System } from './system.ts'
import { openVictoriaLogs } from './victoria-logs.ts'

/** Opens a store on a folder of its own, or what is in it; `undefined` where it is not installed. */
export type Open = (folder: string) => Promise<System | undefined>

/** This service is the first: the others are compared with it. `STORES=service,chdb` leaves the others out. */
export const OPENERS: Readonly<Record<string, Open>> = named({
  service: openService,
  'victoria-logs': openVictoriaLogs,
  chdb: openChdb,
  postgres: openPostgres,
})

function named(all: Readonly<Record<string, Open>>): Record<string, Open> {
  const wanted = process.env.STORES?.split(',')
  return Object.fromEntries(Object.entries(all).filter(([key]) => wanted?.includes(key) ?? true))
}
