/**
 * Bitbucket Cloud, which sends no events of deployments: build statuses whose key is `deploy-<environment>`, which a pipeline sets around
 * its deployment. https://support.atlassian.com/bitbucket-cloud/docs/event-payloads/, read 2026-11.
 */
import type { DeploymentState } from './deployment-event.ts'
import { decodeUtf8, firstLine, joinId, memberAt, parseJson, shortCommit, textOf, timeOf, urlOf, versionOf } from './payload.ts'
import { headerOf, type Platform } from './platform.ts'
import { signedBody } from './signature.ts'

const STATES: Readonly<Record<string, DeploymentState>> = {
  INPROGRESS: 'started',
  SUCCESSFUL: 'succeeded',
  FAILED: 'failed',
  STOPPED: 'canceled',
}
const DEPLOYMENT_KEY = /^deploy(?:ment)?[-_:/](?<environment>.+)$/i

export const bitbucket: Platform = {
  proofs: [signedBody('X-Hub-Signature')],

  read(request) {
    const payload = parseJson(decodeUtf8(request.body))
    const event = headerOf(request, 'x-event-key')
    if (event === 'diagnostics:ping') return { ignored: 'a ping: the webhook works' }
    if (!/^repo:commit_status_(?:created|updated)$/.test(event)) return { ignored: 'not a build status' }
    const of = (...path: string[]) => memberAt(payload, 'commit_status', ...path)
    const key = textOf(of('key'))
    const environment = DEPLOYMENT_KEY.exec(key ?? '')?.groups?.environment
    if (key === undefined || environment === undefined) {
      return { ignored: `the build status ${key ?? ''} is not that of a deployment: its key must be deploy- and an environment` }
    }
    const name = String(of('state'))
    const state = Object.hasOwn(STATES, name) ? STATES[name] : undefined
    if (!state) return { ignored: 'a build status in an unknown state' }
    const createdNs = timeOf(of('created_on'))
    const atNs = timeOf(of('updated_on')) ?? createdNs
    const [commit] = [
      of('commit', 'hash'),
      String(of('links', 'commit', 'href') ?? '')
        .split('/')
        .at(-1),
    ].flatMap((hash) => textOf(hash) ?? [])
    const project = textOf(memberAt(payload, 'repository', 'full_name'))
    if (commit === undefined || atNs === undefined) return { ignored: 'the payload names no commit with a time' }
    const ref = textOf(of('refname'))
    const description = firstLine(of('description'))
    return {
      event: {
        // Each status of a commit has one creation; when it is set again for another run, Bitbucket keeps that.
        deployment: joinId(project ?? '', commit, key, String(createdNs ?? '')),
        state,
        atNs,
        ...(createdNs !== undefined && { queuedNs: createdNs }),
        ...(state === 'failed' && description !== undefined && { message: description }),
        facts: {
          project,
          environment,
          version: versionOf(ref) ?? shortCommit(commit),
          branch: ref,
          commit: shortCommit(commit),
          by: textOf(memberAt(payload, 'actor', 'nickname'), memberAt(payload, 'actor', 'display_name')),
          change: textOf(of('name')),
          url: urlOf(of('url')),
        },
        environments: [environment],
      },
    }
  },
}
