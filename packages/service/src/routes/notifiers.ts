/**
 * The endpoints of notifiers: paths and members of the hosted service, and beside them what a notifier is told, its last messages, a test
 * and its signing secret.
 */
import { NOTIFIERS } from '@deployment-annotations/contract/notifier'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { watchMessage } from '../automations/notifiers/notifiers.ts'
import { callerOf } from '../http/auth.ts'
import { withoutNulls } from '../http/body.ts'
import { route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { isObject } from '../wire/is-object.ts'

/** How long a test waits for its first try. */
const TEST_MS_MAX = 15_000

export function addNotifierRoutes(app: FastifyInstance, { notifiers, records }: Parts): void {
  const tidy = tidyNotifier

  route(app, NOTIFIERS.create, (request) => notifiers.create(request.body, callerOf(request)), { tidy })

  route(app, NOTIFIERS.list, (request) => notifiers.list(callerOf(request)))

  route(app, NOTIFIERS.get, (request) => notifiers.get(request.params.id, callerOf(request)), { preHandler: notStored })

  route(app, NOTIFIERS.change, (request) => notifiers.change(request.params.id, request.body, callerOf(request)), {
    tidy,
    preHandler: notStored,
  })

  route(app, NOTIFIERS.delete, (request) => notifiers.remove(request.params.id, callerOf(request)))

  route(app, NOTIFIERS.deliveries, (request) => notifiers.deliveries(request.params.id, callerOf(request)))

  route(app, NOTIFIERS.test, async (request) => {
    const { id } = request.params
    const message = await notifiers.test(id, callerOf(request))
    return watchMessage(records, { notifier: id, message, waitMs: TEST_MS_MAX })
  })

  route(app, NOTIFIERS.regenerate, (request) => notifiers.regenerate(request.params.id, callerOf(request)))
}

/** A hook of operations whose answers have what is secret for one token, and not for others. */
async function notStored(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('cache-control', 'no-store')
}

/** Null counts as not sent but for quiet hours, which it ends. The published Go client writes members of `customWebhook` with a capital. */
function tidyNotifier(body: unknown): unknown {
  const sent = withoutNulls(body, 'quietHours')
  if (!isObject(sent)) return sent
  const { properties, ...others } = sent
  if (!isObject(properties)) return { ...others, ...(properties !== undefined && { properties }) }
  const kinds = Object.entries(properties).filter(([, value]) => value !== null)
  const spelled = kinds.map(([kind, value]) => [kind, kind === 'customWebhook' && isObject(value) ? uncapitalized(value) : value])
  return { ...others, properties: Object.fromEntries(spelled) }
}

function uncapitalized(members: object): object {
  const known: Readonly<Record<string, string>> = { URL: 'url', Headers: 'headers', Body: 'body' }
  const spelled = Object.entries(members).map(([name, value]) => [known[name] ?? name, value])
  return Object.fromEntries(spelled.filter(([, value]) => value !== null))
}
