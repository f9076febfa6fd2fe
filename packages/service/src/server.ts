/**
 * The service over HTTP: its parts, the app, every resource, and the work beside the requests. A new resource is one file in routes/
 * and one line in RESOURCES. Deliberately not here: flags, signals, opening a store.
 */
import { runUpkeep } from '@deployment-annotations/event-store/upkeep/upkeep'
import { describeError } from '@deployment-annotations/runtime/log'
import type { FastifyInstance } from 'fastify'
import { createHttpApp } from './http/app.ts'
import { createParts, type Parts, type ServerOptions } from './parts.ts'
import { createPageQuestions } from './query/page-questions.ts'
import { addAnnotationRoutes } from './routes/annotations.ts'
import { addDashboard } from './routes/dashboard.ts'
import { addDatasetRoutes } from './routes/datasets.ts'
import { addElasticRoutes } from './routes/elastic.ts'
import { addExportRoutes } from './routes/export.ts'
import { addRoutesForAgents } from './routes/for-agents.ts'
import { addGrafanaRoutes } from './routes/grafana.ts'
import { addGraphiteRoutes } from './routes/graphite.ts'
import { addHealthRoutes } from './routes/health.ts'
import { addIngestRoutes } from './routes/ingest.ts'
import { addIntegrationRoutes } from './routes/integrations.ts'
import { addLanguageRoute } from './routes/language.ts'
import { addMapFieldRoutes } from './routes/map-fields.ts'
import { addMonitorRoutes } from './routes/monitors.ts'
import { addNotifierRoutes } from './routes/notifiers.ts'
import { addOrganizationRoutes } from './routes/organizations.ts'
import { addOtlpRoutes } from './routes/otlp.ts'
import { addQueryRoutes } from './routes/query.ts'
import { addReleaseRoutes } from './routes/releases.ts'
import { addSavedViewRoutes } from './routes/saved-views.ts'
import { addTokenRoutes } from './routes/tokens.ts'
import { addUserRoutes } from './routes/user.ts'
import { addVirtualFieldRoutes } from './routes/virtual-fields.ts'
import { addWebhookRoutes } from './routes/webhooks.ts'

/** Every resource, in the order in which the OpenAPI document lists them. */
const RESOURCES: readonly ((app: FastifyInstance, parts: Parts) => void | Promise<void>)[] = [
  addHealthRoutes,
  addAnnotationRoutes,
  addReleaseRoutes,
  addUserRoutes,
  addTokenRoutes,
  addIngestRoutes,
  addOtlpRoutes,
  addElasticRoutes,
  addGrafanaRoutes,
  addGraphiteRoutes,
  addDatasetRoutes,
  addMapFieldRoutes,
  addVirtualFieldRoutes,
  addOrganizationRoutes,
  addQueryRoutes,
  addLanguageRoute,
  addSavedViewRoutes,
  addMonitorRoutes,
  addRoutesForAgents,
  addNotifierRoutes,
  addIntegrationRoutes,
  addWebhookRoutes,
  addExportRoutes,
  addDashboard,
]

/** @returns the app, ready to listen or to be asked by `inject` */
export async function buildServer(options: ServerOptions): Promise<FastifyInstance> {
  const parts = createParts(options)
  const app = await createHttpApp(options, parts)
  for (const addRoutes of RESOURCES) await addRoutes(app, parts)
  runWhileListening(app, options, parts)
  await app.ready()
  return app
}

/** Runs the work beside the requests: it begins when the service listens, and is at rest before the store is closed. */
function runWhileListening(app: FastifyInstance, { events, records, log }: ServerOptions, parts: Parts): void {
  const { clockCheck, monitors, judge, versionDetector, outbox, ending } = parts
  const { signal } = ending
  const { rollups } = events.tables
  if (rollups) rollups.prepare = createPageQuestions(rollups, events.datasets)
  const work = [
    () => clockCheck.run(signal),
    () => monitors.run(signal),
    () => judge.run(signal),
    () => versionDetector.run(signal),
    () => outbox.run(signal),
    () => events.sizes.run(log, signal),
    () => runUpkeep(records, events.upkeep, log, signal),
  ]
  let running: Promise<unknown> | undefined
  app.addHook('onListen', async () => {
    const onError = (error: unknown) => log.error({ event: 'error', cause: describeError(error) })
    running = Promise.all(work.map((run) => run()?.catch(onError)))
  })
  app.addHook('preClose', async () => {
    ending.abort()
    await running
  })
}
