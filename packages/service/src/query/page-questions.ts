/**
 * Prepares for what the page asks first, of every dataset that has many events: its traffic, errors and latencies of the last day. Other
 * questions are prepared for when they were asked twice (rollups.ts of the event store).
 */
import { compile } from '@deployment-annotations/apl/compile'
import { findVitals, vitalsQuery } from '@deployment-annotations/compare/vitals'
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import type { EventStore } from '@deployment-annotations/event-store/event-store'
import { ASKED_MIN, type Rollups } from '@deployment-annotations/event-store/reading/rollups'
import { listQueryable, readCatalog } from './catalog.ts'

/** The width of the page's bins for a day. */
const STEP = '5m'

/** Any day: the range is no part of what is prepared. */
const RANGE = { startNs: 0n, endNs: UNIT_NS.d }

/** @returns what notes them, before states are made */
export function createPageQuestions(rollups: Rollups, datasets: EventStore['datasets']): Rollups['prepare'] {
  return (largeTables) => {
    const catalog = readCatalog({ datasets, sources: [], mayRead: () => true })
    for (const dataset of datasets.list()) {
      if (!largeTables.has(dataset.table) || dataset.damagedAt !== undefined) continue
      const source = `['${dataset.name}']`
      const apl = vitalsQuery(source, findVitals(source, listQueryable(dataset)), STEP)
      const states = compile(apl, { datasets: catalog, range: RANGE, nowNs: 0n, countsMatched: true }).inStates?.()
      if (states) rollups.note(states, ASKED_MIN)
    }
  }
}
