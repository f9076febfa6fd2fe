/**
 * Vercel: `deployment.*` events of a webhook of the account or of an integration.
 * https://vercel.com/docs/webhooks/webhooks-api, read 2026-11. Vercel does not promise an order of delivery; `createdAt` is when
 * the event came to be.
 */
import { stateOf } from './mapping.ts'
import { decodeUtf8, firstLine, idOf, memberAt, parseJson, shortCommit, textOf, timeOf, urlOf } from './payload.ts'
import { headerOf, type Platform } from './platform.ts'
import { isHmac } from './signature.ts'

export const vercel: Platform = {
  proofs: [
    {
      header: 'x-vercel-signature',
      form: '<HMAC-SHA1 of the body, in hexadecimal>',
      isRight(request, secret) {
        const signature = headerOf(request, 'x-vercel-signature')
        return /^[0-9a-f]{40}$/i.test(signature) && isHmac('sha1', secret, [request.body], Buffer.from(signature, 'hex'))
      },
    },
  ],

  read({ body }) {
    const delivery = parseJson(decodeUtf8(body))
    const type = textOf(memberAt(delivery, 'type')) ?? ''
    // A deployment is promoted when it succeeds, and may be again any time later.
    const isPromoted = type === 'deployment.promoted'
    const state = isPromoted ? 'succeeded' : stateOf(/^deployment\.(.*)$/.exec(type)?.[1])
    if (!state) return { ignored: 'not about the start or end of a deployment' }
    const payload = memberAt(delivery, 'payload')
    const deployment = memberAt(payload, 'deployment')
    const id = idOf(memberAt(deployment, 'id'))
    const atNs = timeOf(memberAt(delivery, 'createdAt'))
    if (id === undefined || atNs === undefined) return { ignored: 'the payload names no deployment with a time' }

    const target = memberAt(payload, 'target')
    const environment = target === null ? 'preview' : textOf(target, memberAt(deployment, 'target'))
    const source = (name: string) => ['github', 'gitlab', 'bitbucket'].map((host) => memberAt(deployment, 'meta', host + name))
    const commit = shortCommit(textOf(...source('CommitSha')))
    return {
      event: {
        deployment: id,
        state,
        atNs,
        ...(isPromoted && { isImplied: true }),
        facts: {
          project: textOf(memberAt(payload, 'project', 'name'), memberAt(deployment, 'name')),
          environment,
          version: commit,
          branch: textOf(...source('CommitRef')),
          commit,
          by: textOf(...source('CommitAuthorLogin'), ...source('CommitAuthorName')),
          change: source('CommitMessage').map(firstLine).find(Boolean),
          url: urlOf(memberAt(payload, 'links', 'deployment'), memberAt(deployment, 'inspectorUrl')),
        },
        environments: [environment ?? ''],
      },
    }
  },
}
