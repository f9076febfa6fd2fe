/**
 * The endpoints that hosting platforms call: one a platform, open to anybody who signs. The bytes go to
 * automations/deployments/ unread, because the signature is over them.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deployments } from '../automations/deployments/deployments.ts'
import { GENERIC_STATES } from '../automations/deployments/generic.ts'
import { expectedSignature, PLATFORM_OF } from '../automations/deployments/platforms.ts'
import { PLATFORMS, type PlatformName } from '../automations/integrations/integration.ts'
import { quoted, ServiceError } from '../errors.ts'
import { errorAnswers } from '../http/schemas.ts'

/**
 * GitHub's recorded events have 7 to 14 KB; `deployment.payload` may add to that. GitHub sends up to 25 MB, but not of these. A
 * stranger's request costs a hash of the body for each integration: 20 to 50 ms at this size and with as many as there can be.
 */
const BODY_BYTES_MAX = 1_048_576

export async function addIntegrationRoutes(app: FastifyInstance, deployments: Deployments): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
      async (_: FastifyRequest, bytes: Buffer) => bytes,
    )
    // The body is checked by who knows the platform; its schema is for the document.
    scope.setValidatorCompiler(() => () => true)
    for (const platform of PLATFORMS) {
      scope.post(`/v1/integrations/${platform}`, {
        config: { signature: platform },
        schema: SCHEMAS[platform],
        onRequest: async (request) => refuseUnsigned(request, platform),
        handler: async ({ headers, body }, reply: FastifyReply) => {
          const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
          return reply.send(await deployments.receive(platform, { headers, body: bytes }))
        },
      })
    }
  })
}

/** Before the body is read. */
function refuseUnsigned({ headers }: FastifyRequest, platform: PlatformName): void {
  const names = PLATFORM_OF[platform].signatures.map(({ header }) => header)
  if (!names.some((name) => headers[name.toLowerCase()])) {
    throw new ServiceError('unauthorized', `the request is not signed; expected ${expectedSignature(platform)}`, {
      headers: { 'www-authenticate': 'Signature' },
    })
  }
  const encoding = headers['content-encoding']
  if (encoding && encoding !== 'identity') {
    throw new ServiceError('unsupported_media_type', `a body with Content-Encoding ${quoted(encoding)} is not read here`)
  }
}

const RECEIPT = {
  type: 'object',
  required: ['outcome'],
  properties: {
    outcome: {
      type: 'string',
      enum: ['created', 'changed', 'unchanged', 'ignored'],
      description: 'What became of the annotation; a repeat is `unchanged`.',
    },
    annotation: { type: 'string', description: 'Its id.' },
    reason: { type: 'string', description: 'Why the request was ignored.' },
  },
} as const

const GENERIC_BODY = {
  type: 'object',
  required: ['deployment', 'status', 'time'],
  properties: {
    deployment: { type: ['string', 'integer'], description: 'Id of the deployment: the same in each of its events.' },
    status: { type: 'string', enum: GENERIC_STATES },
    time: { type: 'string', format: 'date-time', description: 'When that happened.' },
    project: { type: 'string' },
    environment: { type: 'string' },
    version: { type: 'string' },
    branch: { type: 'string' },
    commit: { type: 'string' },
    by: { type: 'string', description: 'Who deployed.' },
    url: { type: 'string', description: 'Where to read more; http or https.' },
    description: { type: 'string', description: 'What is deployed, or how it ended.' },
  },
} as const

const ERRORS = errorAnswers(400, 401, 413, 415, 422, 507)

function buildSchema(title: string, body: object) {
  return {
    operationId: `receive${title}Deployment`,
    summary: `Receive a deployment webhook of ${title}`,
    description:
      'Marks the deployment: a point while it is under way, a span once it has ended. Events may come twice and in any order. Signed instead of bearing a token.',
    tags: ['integrations'],
    body,
    response: {
      200: { description: 'What became of it.', content: { 'application/json': { schema: RECEIPT } } },
      ...ERRORS,
      401: { ...ERRORS[401], description: 'Not signed, or not with the secret of an integration of this platform.' },
      415: { ...ERRORS[415], description: 'The body is compressed.' },
    },
  }
}

const ANY_OBJECT = { type: 'object', additionalProperties: true }
const SCHEMAS: Readonly<Record<PlatformName, object>> = {
  vercel: buildSchema('Vercel', ANY_OBJECT),
  github: buildSchema('GitHub', ANY_OBJECT),
  netlify: buildSchema('Netlify', ANY_OBJECT),
  generic: buildSchema('Generic', GENERIC_BODY),
}
