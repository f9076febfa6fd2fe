/**
 * Jenkins: its Notification plugin, https://plugins.jenkins.io/notification/, read 2026-11. It has no times of the end of a build, so that
 * is when the first word of it arrives.
 */
import type { DeploymentState } from './deployment-event.ts'
import { decodeUtf8, idOf, instantOfMs, joinId, memberAt, parseJson, shortCommit, textOf, timeOf, urlOf } from './payload.ts'
import type { Platform } from './platform.ts'
import { AUTHORIZATION } from './signature.ts'

const ENDS: Readonly<Record<string, DeploymentState>> = {
  SUCCESS: 'succeeded',
  UNSTABLE: 'failed',
  FAILURE: 'failed',
  ABORTED: 'canceled',
  NOT_BUILT: 'canceled',
}
const BEGINNINGS: Readonly<Record<string, DeploymentState>> = { QUEUED: 'queued', STARTED: 'started' }

export const jenkins: Platform = {
  proofs: [AUTHORIZATION],

  read({ body }, { nowMs }) {
    const payload = parseJson(decodeUtf8(body))
    const of = (...path: string[]) => memberAt(payload, 'build', ...path)
    const [phase, status] = [String(of('phase')), String(of('status'))]
    const began = Object.hasOwn(BEGINNINGS, phase) ? BEGINNINGS[phase] : undefined
    const ended = /^(?:COMPLETED|FINALIZED)$/.test(phase) && Object.hasOwn(ENDS, status) ? ENDS[status] : undefined
    const state = began ?? ended
    if (!state) return { ignored: 'neither the start nor the end of a build' }
    const url = urlOf(of('full_url'))
    const name = textOf(memberAt(payload, 'name'))
    const number = idOf(of('number'))
    if (name === undefined || number === undefined) return { ignored: 'the payload names no build' }
    // A build that waits has no time yet; it is then the time of its start, unless that comes.
    const beganNs = timeOf(of('timestamp'))
    const durationMs = of('duration')
    const endNs = beganNs !== undefined && Number(durationMs) > 0 ? beganNs + instantOfMs(Number(durationMs)) : undefined
    const atNs = (began ? beganNs : endNs) ?? instantOfMs(nowMs)
    const parameter = (...names: string[]) =>
      textOf(...names.flatMap((one) => [of('parameters', one), of('parameters', one.toLowerCase())]))
    const environment = parameter('ENVIRONMENT', 'DEPLOY_ENV', 'TARGET_ENV')
    const commit = shortCommit(textOf(of('scm', 'commit')))
    return {
      event: {
        deployment: joinId(textOf(memberAt(payload, 'url')) ?? name, number),
        state,
        atNs,
        // A second word of one end arrives later, and does not count; nor does the sequel of an end that has a time.
        ...(ended && endNs === undefined && { isImplied: true }),
        ...(ended && beganNs !== undefined && { startedNs: beganNs }),
        ...(status === 'UNSTABLE' && { message: 'unstable' }),
        facts: {
          project: name,
          environment,
          version: parameter('VERSION', 'TAG') ?? commit ?? `#${number}`,
          branch: textOf(of('scm', 'branch')),
          commit,
          change: textOf(of('scm', 'changes', '0')),
          url,
        },
        environments: [environment ?? ''],
      },
    }
  },
}
