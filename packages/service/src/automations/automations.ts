/**
 * What makes annotations by itself, put into the server: the routes of monitors and of deployments' webhooks, and when they work.
 * They do while the service listens, and are at rest before its store is closed. Deliberately not here: what they do.
 */
import type { FastifyInstance } from 'fastify'
import { newAnnotationId, newMonitorId } from '../annotations/new-id.ts'
import { describeError } from '../log.ts'
import { addIntegrationRoutes } from '../routes/integrations.ts'
import { addMonitorRoutes } from '../routes/monitors.ts'
import type { MonitorStore } from '../store/monitor-store.ts'
import { createDeployments, type DeploymentsOptions } from './deployments/deployments.ts'
import { absentMonitors } from './monitors/absent.ts'
import { type MonitorsOptions, openMonitors } from './monitors/monitors.ts'

type MonitorParts = Omit<MonitorsOptions, 'store' | 'newMonitorId' | 'newAnnotationId'>

/** @param store `elsewhere`: another service on the same tables has them */
export async function addMonitors(app: FastifyInstance, store: MonitorStore | 'elsewhere', parts: MonitorParts): Promise<void> {
  const monitors =
    store === 'elsewhere' ? absentMonitors() : await openMonitors({ ...parts, store, newMonitorId, newAnnotationId })
  addMonitorRoutes(app, monitors)
  app.addHook('onListen', async () => monitors.start())
  app.addHook('preClose', () => monitors.stop())
}

/** What the process before left unfinished is taken up beside the first requests. */
export async function addDeployments(app: FastifyInstance, options: Omit<DeploymentsOptions, 'newId'>): Promise<void> {
  const { clock, log } = options
  const deployments = createDeployments({ ...options, newId: () => newAnnotationId(clock()) })
  await addIntegrationRoutes(app, deployments)
  const stop = new AbortController()
  let resumed: Promise<void> | undefined
  app.addHook('onListen', async () => {
    resumed = deployments.resume(stop.signal).catch((error: unknown) => log({ event: 'error', cause: describeError(error) }))
  })
  app.addHook('onClose', async () => {
    stop.abort()
    await resumed
  })
}
