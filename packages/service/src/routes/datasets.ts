/**
 * Dataset endpoints, the same under /v1 and /v2: what published clients call before they send events.
 */

import { DATASET_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { parseDuration } from '@deployment-annotations/contract/duration'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import type { FastifyInstance } from 'fastify'
import { invalid, quoted } from '../errors.ts'
import type { Dataset } from '../events/dataset.ts'
import type { Datasets } from '../events/datasets.ts'
import { typesOf } from '../events/field-tree.ts'
import { errorAnswers } from '../http/schemas.ts'

const ROOTS = ['/v2/datasets', '/v1/datasets'] as const
const TAGS = ['datasets']
const KIND = 'axiom:events:v1'
const DESCRIPTION_POINTS_MAX = 512
/** A hundred years: longer than the span of time that can be stored reaches back from now. */
const RETENTION_DAYS_MAX = 36_525

interface DatasetBody {
  name?: string
  description?: string | null
  retentionDays?: number | null
  useRetentionPeriod?: boolean | null
}

type Named = { Params: { name: string } }

export function addDatasetRoutes(app: FastifyInstance, datasets: Datasets, clock: () => number): void {
  app.addSchema(DATASET_SCHEMA)
  for (const root of ROOTS) {
    const operation = (name: string) => (root === ROOTS[0] ? name : `${name}V1`)

    app.post<{ Body: DatasetBody }>(root, {
      config: { permission: 'datasets|create' },
      schema: {
        operationId: operation('createDataset'),
        summary: 'Create a dataset',
        tags: TAGS,
        body: { type: 'object', required: ['name'], properties: { name: NAME, ...CHANGEABLE } },
        response: { 200: ONE, ...errorAnswers(400, 401, 403, 409, 415, 422, 507) },
      },
      handler: async (request) => {
        const { name = '', description } = request.body
        return show(
          await datasets.create({
            name,
            description: description ?? '',
            retentionDays: retentionOf(request.body) ?? 0,
            createdBy: request.token?.id ?? '',
          }),
        )
      },
    })

    app.get(root, {
      config: { permission: 'datasets|read' },
      schema: {
        operationId: operation('listDatasets'),
        summary: 'List datasets',
        tags: TAGS,
        response: {
          200: {
            description: 'All datasets, by name.',
            content: { 'application/json': { schema: { type: 'array', items: { $ref: 'Dataset#' } } } },
          },
          ...errorAnswers(401, 403),
        },
      },
      handler: async () => datasets.list().map(show),
    })

    app.get<Named>(`${root}/:name`, {
      config: { permission: 'datasets|read' },
      schema: {
        operationId: operation('getDataset'),
        summary: 'Get a dataset',
        tags: TAGS,
        params: PARAMS,
        response: { 200: ONE, ...errorAnswers(400, 401, 403, 404) },
      },
      handler: async (request) => show(datasets.get(request.params.name)),
    })

    app.put<Named & { Body: DatasetBody }>(`${root}/:name`, {
      config: { permission: 'datasets|update' },
      schema: {
        operationId: operation('changeDataset'),
        summary: 'Change a dataset',
        description: 'Its description and how long events are kept.',
        tags: TAGS,
        params: PARAMS,
        body: { type: 'object', properties: CHANGEABLE },
        response: { 200: ONE, ...errorAnswers(400, 401, 403, 404, 415, 422, 507) },
      },
      handler: async (request) => {
        const { description } = request.body
        const retentionDays = retentionOf(request.body)
        return show(
          await datasets.change(request.params.name, {
            ...(typeof description === 'string' && { description }),
            ...(retentionDays !== undefined && { retentionDays }),
          }),
        )
      },
    })

    app.delete<Named>(`${root}/:name`, {
      config: { permission: 'datasets|delete' },
      schema: {
        operationId: operation('deleteDataset'),
        summary: 'Delete a dataset and its events',
        tags: TAGS,
        params: PARAMS,
        response: { 204: { description: 'It is gone.', type: 'null' }, ...errorAnswers(400, 401, 403, 404, 507) },
      },
      handler: async (request, reply) => {
        await datasets.remove(request.params.name)
        return reply.status(204).send()
      },
    })

    app.post<Named & { Body: { maxDuration: string } }>(`${root}/:name/trim`, {
      config: { permission: 'datasets|update' },
      schema: {
        operationId: operation('trimDataset'),
        summary: 'Remove old events',
        tags: TAGS,
        params: PARAMS,
        body: {
          type: 'object',
          required: ['maxDuration'],
          properties: {
            maxDuration: { type: 'string', description: 'Events older than this go, for example `720h` or `1h30m`.' },
          },
        },
        response: {
          200: { description: 'They are gone.', content: { 'application/json': { schema: { type: 'object', properties: {} } } } },
          ...errorAnswers(400, 401, 403, 404, 415, 422, 507),
        },
      },
      handler: async (request) => {
        const ageNs = readDuration(request.body.maxDuration)
        await datasets.trim(request.params.name, BigInt(clock()) * 1_000_000n - ageNs)
        return {}
      },
    })

    app.get<Named>(`${root}/:name/fields`, {
      config: { permission: 'datasets|read' },
      schema: {
        operationId: operation('listFields'),
        summary: 'List the fields of a dataset',
        tags: TAGS,
        params: PARAMS,
        response: { 200: FIELDS, ...errorAnswers(400, 401, 403, 404) },
      },
      handler: async (request) => showFields(datasets.get(request.params.name)),
    })
  }
}

function show(dataset: Dataset) {
  const { name, description, createdAtMs, updatedAtMs, createdBy, retentionDays } = dataset
  return {
    id: name,
    name,
    description,
    created: formatTimestamp(BigInt(createdAtMs) * 1_000_000n),
    updatedAt: formatTimestamp(BigInt(updatedAtMs) * 1_000_000n),
    who: createdBy,
    kind: KIND,
    retentionDays,
    useRetentionPeriod: retentionDays > 0,
  }
}

function showFields(dataset: Dataset) {
  const fields = [...dataset.fields.root.fields()].map(({ name, types }) => ({ name, type: typesOf(types).join('|') }))
  const own = [
    { name: '_sysTime', type: 'datetime' },
    { name: '_time', type: 'datetime' },
  ]
  const sorted = fields.sort((a, b) => (a.name < b.name ? -1 : 1))
  return [...own, ...sorted].map((field) => ({ ...field, unit: '', hidden: false, description: '' }))
}

/** @returns days, 0 for ever, `undefined` where nothing is said */
function retentionOf({ retentionDays, useRetentionPeriod }: DatasetBody): number | undefined {
  if (useRetentionPeriod === false) return 0
  const days = retentionDays ?? undefined
  if (days !== undefined && (days < 0 || days > RETENTION_DAYS_MAX)) {
    const code = days < 0 ? VALIDATION_CODES.min : VALIDATION_CODES.max
    throw invalid(code, `retentionDays must be 0 (for ever) to ${RETENTION_DAYS_MAX}, got ${days}`)
  }
  if (useRetentionPeriod === true && !days)
    throw invalid(VALIDATION_CODES.required, 'retentionDays is required with useRetentionPeriod')
  return days
}

function readDuration(text: string): bigint {
  const ns = parseDuration(text)
  if (ns === undefined)
    throw invalid(VALIDATION_CODES.pattern, `maxDuration must be a duration such as 30s, 1h30m or 7d, got ${quoted(text)}`)
  return ns
}

const NAME = { type: 'string', minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9-]*$' } as const
const CHANGEABLE = {
  description: { type: ['string', 'null'], maxLength: DESCRIPTION_POINTS_MAX },
  retentionDays: { type: ['integer', 'null'], description: 'Days that events are kept; 0 keeps them for ever.' },
  useRetentionPeriod: { type: ['boolean', 'null'], description: 'false keeps events for ever.' },
} as const
const PARAMS = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', pattern: DATASET_NAME_PATTERN.source } },
} as const

const DATASET_SCHEMA = {
  $id: 'Dataset',
  title: 'Dataset',
  type: 'object',
  additionalProperties: false,
  required: ['id', 'name', 'description', 'created', 'updatedAt', 'who', 'kind'],
  properties: {
    id: { type: 'string', description: 'The name.' },
    name: { type: 'string' },
    description: { type: 'string' },
    created: { type: 'string', format: 'date-time' },
    updatedAt: { type: 'string', format: 'date-time' },
    who: { type: 'string', description: 'Id of the token that made it.' },
    kind: { type: 'string' },
    retentionDays: { type: 'integer' },
    useRetentionPeriod: { type: 'boolean' },
  },
} as const
const ONE = { description: 'The dataset.', content: { 'application/json': { schema: { $ref: 'Dataset#' } } } } as const
const FIELDS = {
  description: 'The fields with their types; a field seen with several has a union such as `integer|string`.',
  content: {
    'application/json': {
      schema: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            type: { type: 'string' },
            unit: { type: 'string' },
            hidden: { type: 'boolean' },
            description: { type: 'string' },
          },
        },
      },
    },
  },
} as const
