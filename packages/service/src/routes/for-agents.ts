/**
 * What the hosted service's MCP server, by which AI agents ask, reads beside documented endpoints: starred queries, which here are those of
 * saved views, and the histories of several monitors at once. Deliberately not here: starring a query; a view is saved instead.
 */
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { MONITOR_ID_PATTERN } from '@deployment-annotations/contract/monitor'
import { STARRED_QUERIES } from '@deployment-annotations/contract/saved-view'
import type { SavedViewRecord } from '@deployment-annotations/records/saved/saved-view-records'
import { invalid, showValue } from '@deployment-annotations/runtime/errors'
import type { FastifyInstance } from 'fastify'
import { toWireAlert } from '../automations/monitors/wire.ts'
import { callerOf } from '../http/auth.ts'
import { route } from '../http/route.ts'
import type { Parts } from '../parts.ts'

/** How far back histories go, in milliseconds: the MCP server asks for recent ones. */
const RECENT_MS = Number((30n * UNIT_NS.d) / UNIT_NS.ms)
/** How many monitors one request may name, each of which is a query of the records. */
const MONITORS_ASKED_MAX = 100

export function addRoutesForAgents(app: FastifyInstance, { savedViews, monitors, now }: Parts): void {
  route(app, STARRED_QUERIES.list, async function* (request) {
    for await (const page of savedViews.list(callerOf(request))) yield page.flatMap(queriesOf)
  })

  // An internal path of the hosted service, which its document does not have either.
  app.get('/api/internal/monitors/history', {
    config: { permission: 'monitors|read' },
    schema: { hide: true },
    handler: async (request) => {
      const by = callerOf(request)
      const endMs = now()
      const histories = readIds(request.query).map(async (id) => {
        const alerts = await monitors.history(id, { startMs: endMs - RECENT_MS, endMs }, by)
        return [id, alerts.map(toWireAlert)]
      })
      return Object.fromEntries(await Promise.all(histories))
    },
  })
}

function queriesOf({ id, definition, createdBy }: SavedViewRecord) {
  const { name, aplQuery, datasets, charts = [] } = definition
  const one = aplQuery === '' ? [] : [{ name, aplQuery, datasets }]
  const several = charts.map(({ title, ...chart }) => ({ ...chart, name: `${name}: ${title}` }))
  return [...one, ...several].map((query) => ({
    id,
    name: query.name,
    kind: 'apl',
    dataset: query.datasets[0] ?? '',
    query: { apl: query.aplQuery },
    who: createdBy,
  }))
}

function readIds(parameters: unknown): string[] {
  const { monitorIds = [] } = parameters as { monitorIds?: string | string[] }
  const ids = [monitorIds].flat().flatMap((text) => text.split(',').map((id) => id.trim()))
  const known = [...new Set(ids.filter((id) => id !== ''))]
  const wrong = known.find((id) => !MONITOR_ID_PATTERN.test(id))
  if (wrong === undefined && known.length > 0 && known.length <= MONITORS_ASKED_MAX) return known
  const got = wrong === undefined ? `${known.length} of them` : showValue(wrong)
  throw invalid(
    VALIDATION_CODES.required,
    `monitorIds must be 1 to ${MONITORS_ASKED_MAX} ids of monitors, separated by commas, got ${got}`,
  )
}
