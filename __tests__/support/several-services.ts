/**
 * Several services that share their databases, behind one address: to a test that asks nothing else they are one service.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startRoundRobin } from './round-robin.ts'
import type { RunningService, StartOptions } from './service.ts'
import { SHARED_KEY } from './shared-servers.ts'

export interface SeveralServices extends RunningService {
  readonly services: readonly RunningService[]
  /** SIGKILL to one of them; the others get its requests. */
  killOne(index: number): Promise<void>
  /** Starts one again that was killed. */
  restart(index: number): Promise<void>
}

/**
 * @param start starts one service with a data directory of its own
 * @param env where the shared databases are
 */
export async function startSeveral(
  count: number,
  dataDir: string,
  start: (options: StartOptions) => Promise<RunningService>,
  { env, ...options }: StartOptions,
): Promise<SeveralServices> {
  const startOne = (index: number) => start({ ...options, dataDir: join(dataDir, String(index)), env: { ...SHARED_KEY, ...env } })
  const services = await Promise.all(Array.from({ length: count }, (_, index) => startOne(index)))
  const balancer = await startRoundRobin(services.map(({ url }) => url))
  const point = () => balancer.setTargets(services.map(({ url }) => url))
  const allRequests = () => services.flatMap(({ requests }) => requests)
  const endAll = async (end: (service: RunningService) => Promise<unknown>) => void (await Promise.all(services.map(end)))
  return {
    services,
    url: balancer.url,
    token: services[0]?.token ?? '',
    dataDir,
    pid: services[0]?.pid ?? 0,
    get requests() {
      return allRequests()
    },
    get stdout() {
      return services.map(({ stdout }) => stdout).join('')
    },
    get stderr() {
      return services.map(({ stderr }) => stderr).join('')
    },
    async waitForRequests(expected) {
      for (let waitedMs = 0; allRequests().length < expected; waitedMs += 10) {
        if (waitedMs > 5_000) throw new Error(`expected ${expected} request lines, got ${allRequests().length}`)
        await sleep(10)
      }
      return allRequests()
    },
    async stop(signal) {
      await endAll((service) => service.stop(signal))
      return { exitCode: 0, signal: null }
    },
    async kill() {
      await endAll((service) => service.kill())
      return { exitCode: null, signal: 'SIGKILL' }
    },
    async killOne(index) {
      await services[index]?.kill()
    },
    async restart(index) {
      services[index] = await startOne(index)
      point()
    },
    async [Symbol.asyncDispose]() {
      await balancer[Symbol.asyncDispose]()
      await endAll((service) => service[Symbol.asyncDispose]())
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
