/**
 * Dataset endpoints, the same under /v1 and /v2, which published clients call before they send events. And what is known about datasets:
 * the fields of all of them at once, from which editors complete names, and how much one holds.
 */
import { ALL_FIELDS_PATH, DATASETS_PATH, DATASETS_V1_PATH, RETENTION_DAYS_MAX } from '@deployment-annotations/contract/dataset'
import { parseDuration } from '@deployment-annotations/contract/duration'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import type { DatasetChange, DatasetField, Dataset as DatasetOnTheWire } from '@deployment-annotations/contract/schemas/dataset'
import { formatMillis } from '@deployment-annotations/contract/timestamp'
import type { Dataset } from '@deployment-annotations/event-store/datasets/dataset'
import type { Datasets } from '@deployment-annotations/event-store/datasets/datasets'
import { invalid, quoted } from '@deployment-annotations/runtime/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { callerOf, goneSignal, isAllowed, requirePermission } from '../http/auth.ts'
import { requireBody, tidied, withoutNulls } from '../http/body.ts'
import { typed } from '../http/schemas.ts'
import type { Parts } from '../parts.ts'
import { listFields } from '../query/catalog.ts'
import { ALL_FIELDS, CHANGE, CREATE, DELETE, FIELDS, GET, INFO, LIST, NAMED, TRIM } from './schemas/datasets.ts'

export function addDatasetRoutes(app: FastifyInstance, parts: Parts): void {
  for (const schema of NAMED) app.addSchema(schema)
  addOperations(app, DATASETS_PATH, '', parts)
  addOperations(app, DATASETS_V1_PATH, 'V1', parts)
  addInfoRoutes(app, parts)
}

/** @param suffix tells the operations under one root from those under the other */
function addOperations(app: FastifyInstance, root: string, suffix: string, { datasets, readNow }: Parts): void {
  const routes = typed(app)
  const one = `${root}/:name`
  const here = <O extends { schema: { operationId: string } }>(operation: O): O => ({
    ...operation,
    schema: { ...operation.schema, operationId: operation.schema.operationId + suffix },
  })

  routes.post(root, {
    ...here(CREATE),
    preValidation: tidied(withoutNulls),
    handler: async (request) => {
      const { body, token } = request
      const { name, description = '', kind, edgeDeployment = '' } = body
      requirePermission(request, 'datasets|create', '', name)
      const retentionDays = retentionOf(body) ?? 0
      const wanted = { name, description, retentionDays, edgeDeployment, createdBy: token?.id ?? '', ...(kind && { kind }) }
      return toWire(await datasets.create(wanted), request)
    },
  })
  routes.get(root, here(LIST), async (request) => {
    const readable = datasets.list().filter(({ name }) => isAllowed(request, 'datasets|read', name))
    return readable.map((dataset) => toWire(dataset, request))
  })
  routes.get(one, here(GET), async (request) => toWire(datasets.get(request.params.name), request))
  routes.put(one, {
    ...here(CHANGE),
    preValidation: tidied(withoutNulls),
    handler: async (request) => toWire(await datasets.change(request.params.name, changeOf(request.body)), request),
  })
  routes.delete(one, here(DELETE), ({ params }) => datasets.remove(params.name))
  routes.post(`${one}/trim`, {
    ...here(TRIM),
    preValidation: requireBody,
    handler: async ({ params, body }) => {
      await datasets.trim(params.name, BigInt(await readNow()) * 1_000_000n - ageOf(body.maxDuration))
      return {}
    },
  })
  routes.get(`${one}/fields`, here(FIELDS), async ({ params }) => fieldsOf(datasets.get(params.name)))
}

function addInfoRoutes(app: FastifyInstance, { datasets, measureDataset }: Parts): void {
  const routes = typed(app)

  routes.get(ALL_FIELDS_PATH, ALL_FIELDS, async (request) => {
    const readable = datasets.list().filter(({ name }) => isAllowed(request, 'query|read', name))
    return readable.map((dataset) => ({ datasetName: dataset.name, fields: nameableIn(dataset) }))
  })

  routes.get(`${DATASETS_V1_PATH}/:name/info`, INFO, async (request, reply) => {
    const dataset = datasets.get(request.params.name)
    const { events, times, ...bytes } = await measureDataset(dataset, callerOf(request), goneSignal(reply))
    const fields = fieldsOf(dataset)
    return {
      name: dataset.name,
      numEvents: events,
      numFields: fields.length,
      ...bytes,
      ...times,
      created: formatMillis(dataset.createdAtMs),
      who: dataset.createdBy,
      fields,
    }
  })
}

/** @returns what a query of the dataset can name: its fields, and its virtual fields, which come before fields of the same name */
function nameableIn(dataset: Dataset): DatasetField[] {
  const virtual = dataset.virtualFields.map(({ name, type, unit, description }) => ({
    name,
    type,
    unit,
    description,
    hidden: false,
  }))
  const stored = fieldsOf(dataset).filter(({ name }) => !virtual.some((field) => field.name === name))
  return [...stored, ...virtual]
}

function toWire(dataset: Dataset, request: Pick<FastifyRequest, 'token'>): DatasetOnTheWire {
  const { name, description, createdAtMs, updatedAtMs, createdBy, retentionDays, kind, mapFields, edgeDeployment } = dataset
  return {
    id: name,
    name,
    description,
    created: formatMillis(createdAtMs),
    updatedAt: formatMillis(updatedAtMs),
    who: createdBy,
    kind,
    canWrite: isAllowed(request, 'ingest|create', name),
    retentionDays,
    useRetentionPeriod: retentionDays > 0,
    mapFields: [...mapFields],
    ...(edgeDeployment !== '' && { edgeDeployment }),
  }
}

/** @returns all fields that events of the dataset have, those of every event first */
function fieldsOf(dataset: Dataset): DatasetField[] {
  const fields = listFields(dataset)
  const own = [
    { name: '_sysTime', type: 'datetime' },
    { name: '_time', type: 'datetime' },
  ]
  const sorted = fields.sort((a, b) => (a.name < b.name ? -1 : 1))
  return [...own, ...sorted].map((field) => ({ ...field, unit: '', hidden: false, description: '' }))
}

function changeOf(change: DatasetChange): Parameters<Datasets['change']>[1] {
  const { description } = change
  const retentionDays = retentionOf(change)
  return { ...(description !== undefined && { description }), ...(retentionDays !== undefined && { retentionDays }) }
}

/** @returns days, 0 forever, `undefined` where nothing is said */
function retentionOf({ retentionDays: days, useRetentionPeriod }: DatasetChange): number | undefined {
  if (useRetentionPeriod === false) return 0
  if (days !== undefined && (days < 0 || days > RETENTION_DAYS_MAX)) {
    const code = days < 0 ? VALIDATION_CODES.min : VALIDATION_CODES.max
    throw invalid(code, `retentionDays must be 0 (forever) to ${RETENTION_DAYS_MAX}, got ${days}`)
  }
  if (useRetentionPeriod === true && !days)
    throw invalid(VALIDATION_CODES.required, 'retentionDays is required with useRetentionPeriod')
  return days
}

/** @returns nanoseconds */
function ageOf(duration: string): bigint {
  const ns = parseDuration(duration)
  if (ns !== undefined) return ns
  throw invalid(VALIDATION_CODES.pattern, `maxDuration must be a duration such as 30s, 1h30m or 7d, got ${quoted(duration)}`)
}
