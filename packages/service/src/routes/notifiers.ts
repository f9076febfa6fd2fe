/**
 * The endpoints of notifiers: paths and members of the hosted service, and beside them what a notifier is told, its last messages, a test
 * and its signing secret.
 */
import { NOTIFIERS_PATH } from '@deployment-annotations/contract/notifier'
import type { NewNotifier, NotifierChange } from '@deployment-annotations/contract/schemas/notifier'
import type { FastifyInstance } from 'fastify'
import { watchMessage } from '../automations/notifiers/notifiers.ts'
import { callerOf } from '../http/auth.ts'
import { tidied } from '../http/body.ts'
import { typed } from '../http/schemas.ts'
import type { Parts } from '../parts.ts'
import { CHANGE, CREATE, DELETE, DELIVERIES, GET, LIST, NAMED, REGENERATE, TEST } from './schemas/notifiers.ts'

const ONE = `${NOTIFIERS_PATH}/:id`
/** How long a test waits for its first try. */
const TEST_MS_MAX = 15_000

export function addNotifierRoutes(app: FastifyInstance, { notifiers, records }: Parts): void {
  for (const schema of NAMED) app.addSchema(schema)
  const routes = typed(app)

  routes.post(NOTIFIERS_PATH, {
    ...CREATE,
    preValidation: tidied(tidyNotifier),
    handler: async (request, reply) => {
      const made = await notifiers.create(request.body as NewNotifier, callerOf(request))
      return reply.status(201).header('cache-control', 'no-store').send(made)
    },
  })

  routes.get(NOTIFIERS_PATH, LIST, (request) => notifiers.list(callerOf(request)))

  routes.get(ONE, GET, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    return notifiers.get(request.params.id, callerOf(request))
  })

  routes.put(ONE, {
    ...CHANGE,
    preValidation: tidied(tidyNotifier),
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return notifiers.change(request.params.id, request.body as NotifierChange, callerOf(request))
    },
  })

  routes.delete(ONE, DELETE, (request) => notifiers.remove(request.params.id, callerOf(request)))
  addMessageRoutes(routes, { notifiers, records })
}

function addMessageRoutes(routes: ReturnType<typeof typed>, { notifiers, records }: Pick<Parts, 'notifiers' | 'records'>): void {
  routes.get(`${ONE}/deliveries`, DELIVERIES, (request) => notifiers.deliveries(request.params.id, callerOf(request)))

  routes.post(`${ONE}/test`, TEST, async (request) => {
    const { id } = request.params
    const message = await notifiers.test(id, callerOf(request))
    return watchMessage(records, { notifier: id, message, waitMs: TEST_MS_MAX })
  })

  routes.post(`${ONE}/regenerate`, REGENERATE, async (request, reply) => {
    const made = await notifiers.regenerate(request.params.id, callerOf(request))
    return reply.header('cache-control', 'no-store').send(made)
  })
}

/** Null counts as not sent but for quiet hours, which it ends. The published Go client writes members of `customWebhook` with a capital. */
function tidyNotifier(body: unknown): unknown {
  if (!isObject(body)) return body
  const sent = Object.entries(body).filter(([name, value]) => value !== null || name === 'quietHours')
  const { properties, ...others } = Object.fromEntries(sent)
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
