/**
 * `GET /openapi.json`: the OpenAPI 3.1 document, made from the schemas of the registered routes. Anyone may ask, so it is written and
 * compressed once.
 */
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { TAGS } from '@deployment-annotations/contract/operation'
import type { Permission } from '@deployment-annotations/contract/permission'
import { PLATFORMS, type PlatformName } from '@deployment-annotations/contract/platform'
import { DOCUMENTED } from '@deployment-annotations/contract/schema'
import { PLATFORM_OF } from '@deployment-annotations/edge/platforms/platforms'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { compress, ENCODINGS, type Encoding, encodingFor } from './compression.ts'

const INFO = {
  title: 'Annotation service',
  version: '2',
  description: 'Markers on charts: deployments, outages, incidents. Every answer carries the header X-Axiom-Trace-Id.',
  license: { name: 'MIT', identifier: 'MIT' },
}

/** Webhooks prove that they know the secret of an integration, each platform in its own way; any one of its ways is enough. */
const SIGNATURE_SCHEMES = Object.fromEntries(
  PLATFORMS.flatMap((platform) =>
    PLATFORM_OF[platform].proofs.map(({ header, form }) => [
      schemeName(platform, header),
      { type: 'apiKey' as const, in: 'header' as const, name: header, description: form },
    ]),
  ),
)

function signaturesOf(platform: PlatformName): Record<string, string[]>[] {
  return PLATFORM_OF[platform].proofs.map(({ header }) => ({ [schemeName(platform, header)]: [] }))
}

function schemeName(platform: PlatformName, header: string): string {
  return `${platform}.${header.toLowerCase()}`
}

/** @returns the schema with what only the document says put in its place; what is undefined there is left out of it */
function showDocumented<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(showDocumented) as T
  if (typeof schema !== 'object' || schema === null) return schema
  const { [DOCUMENTED]: more, ...rest } = schema as Record<string, unknown>
  const members = Object.entries({ ...rest, ...(more as object | undefined) }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(members.map(([key, value]) => [key, showDocumented(value)])) as T
}

interface Document {
  paths?: object
  components?: object
}

/** Puts each object that has a title among the named schemas, so that generated clients call it by that name wherever it stands. */
function nameSchemas(document: Document): Document {
  const schemas: Record<string, object> = {}
  const named = <T>(value: T): T => {
    if (Array.isArray(value)) return value.map(named) as T
    if (typeof value !== 'object' || value === null) return value
    const whole = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, named(inner)]))
    const { title, type } = whole as { title?: unknown; type?: unknown }
    if (typeof title !== 'string' || type !== 'object') return whole as T
    schemas[title] ??= whole
    if (!isDeepStrictEqual(schemas[title], whole)) throw new Error(`two schemas are called ${title}`)
    return { $ref: `#/components/schemas/${title}` } as T
  }
  const { components, ...rest } = document
  return { ...named(rest), components: { ...components, schemas } }
}

/** Must be called before any route is registered. */
export async function addOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: INFO,
      servers: [{ url: '/', description: 'The service that gave this document.' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer', description: 'An API token or a personal token.' },
          password: { type: 'http', scheme: 'basic', description: 'A token as the password, of any user.' },
          ...SIGNATURE_SCHEMES,
        },
      },
    },
    transform: ({ schema: validated, url, route }) => {
      const schema = showDocumented(validated)
      const permission: Permission | undefined = route.config?.permission
      const platform: PlatformName | undefined = route.config?.signature
      const { anyToken, personal, tokenAsPassword } = route.config ?? {}
      const token = [{ token: [] }, ...(tokenAsPassword ? [{ password: [] }] : [])]
      const security = platform ? signaturesOf(platform) : permission || anyToken || personal ? token : []
      const needs = permission ? ` Needs the permission \`${permission}\`.` : personal ? ' Needs a personal token.' : ''
      return { url, schema: { ...schema, security, description: `${schema?.description ?? ''}${needs}`.trim() } }
    },
  })
  let document: Promise<WrittenDocument> | undefined
  app.get('/openapi.json', {
    config: { open: true },
    schema: {
      operationId: 'getDocument',
      summary: 'This document',
      tags: ['service'],
      response: {
        200: { description: 'OpenAPI 3.1', type: 'object', additionalProperties: true },
        304: { description: 'The document is the one of the ETag in If-None-Match.', type: 'null' },
      },
    },
    handler: async ({ headers }, reply) => {
      // The routes stay as they are once the app is ready.
      document ??= write(nameSchemas(showDocumented(app.swagger() as Document)))
      const { etag, bytes } = await document
      reply.headers({ etag, vary: 'accept-encoding', 'cache-control': 'no-cache' })
      if (isSame(headers['if-none-match'], etag)) return reply.code(304).send()
      const encoding = encodingFor(headers['accept-encoding'])
      if (encoding !== undefined) reply.header('content-encoding', encoding)
      return reply.type('application/json; charset=utf-8').send(bytes[encoding ?? 'identity'])
    },
  })
}

/** Whether the reader has it, by the weak comparison (RFC 9110, section 13.1.2). */
function isSame(known: string | undefined, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return known?.split(',').some((tag) => opaque(tag) === '*' || opaque(tag) === opaque(etag)) ?? false
}

interface WrittenDocument {
  /** A weak one, because it stands for the document in every encoding. */
  etag: string
  bytes: Readonly<Record<Encoding | 'identity', Buffer>>
}

async function write(document: object): Promise<WrittenDocument> {
  const identity = Buffer.from(JSON.stringify(document))
  const compressed = await Promise.all(ENCODINGS.map(async (name) => [name, await compress(identity, name, true)] as const))
  const bytes = { identity, ...(Object.fromEntries(compressed) as Record<Encoding, Buffer>) }
  return { etag: `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`, bytes }
}
