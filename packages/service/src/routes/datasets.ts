/**
 * Dataset endpoints, the same under /v1 and /v2, which published clients call before they send events. And what is known about datasets:
 * the fields of all of them at once, from which editors complete names, and how much one holds.
 */
import {
  DATASETS,
  type DatasetChange,
  type DatasetField,
  type Dataset as DatasetOnTheWire,
  RETENTION_DAYS_MAX,
} from '@deployment-annotations/contract/dataset'
import { dropUndefined } from '@deployment-annotations/contract/drop-undefined'
import { parseDuration } from '@deployment-annotations/contract/duration'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import type { Operation } from '@deployment-annotations/contract/operation'
import { formatMillis } from '@deployment-annotations/contract/timestamp'
import type { Dataset } from '@deployment-annotations/event-store/datasets/dataset'
import type { Datasets } from '@deployment-annotations/event-store/datasets/datasets'
import { invalid, quoted } from '@deployment-annotations/runtime/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { callerOf, goneSignal, isAllowed, requirePermission } from '../http/auth.ts'
import { route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { listFields } from '../query/catalog.ts'

export function addDatasetRoutes(app: FastifyInstance, parts: Parts): void {
  addOperations(app, (operation) => operation, parts)
  addOperations(app, underV1, parts)
  addInfoRoutes(app, parts)
}

/** @returns the operation as clients of the first version call it */
function underV1<O extends Operation>(operation: O): O {
  const { call, operationId } = operation
  return { ...operation, call: call.replace('/v2/', '/v1/'), operationId: `${operationId}V1` }
}

function addOperations(app: FastifyInstance, at: <O extends Operation>(operation: O) => O, { datasets, readNow }: Parts): void {
  route(app, at(DATASETS.create), async (request) => {
    const { body, token } = request
    const { name, description = '', kind, edgeDeployment = '', indexedFields = [], strictTime = false } = body
    requirePermission(request, 'datasets|create', '', name)
    const retentionDays = retentionOf(body) ?? 0
    const settings = { description, retentionDays, edgeDeployment, indexedFields, strictTime, ...(kind && { kind }) }
    return toWire(await datasets.create({ name, createdBy: token?.id ?? '', ...settings }), request)
  })

  route(app, at(DATASETS.list), (request) => {
    const readable = datasets.list().filter(({ name }) => isAllowed(request, 'datasets|read', name))
    return readable.map((dataset) => toWire(dataset, request))
  })

  route(app, at(DATASETS.get), (request) => toWire(datasets.get(request.params.name), request))

  route(app, at(DATASETS.change), async (request) => {
    return toWire(await datasets.change(request.params.name, changeOf(request.body)), request)
  })

  route(app, at(DATASETS.delete), ({ params }) => datasets.remove(params.name))

  route(app, at(DATASETS.trim), async ({ params, body }) => {
    await datasets.trim(params.name, BigInt(await readNow()) * 1_000_000n - ageOf(body.maxDuration))
    return {}
  })

  route(app, at(DATASETS.vacuum), async ({ params }) => {
    await datasets.freeFields(datasets.get(params.name))
    return {}
  })

  route(app, at(DATASETS.fields), ({ params }) => fieldsOf(datasets.get(params.name)))
}

function addInfoRoutes(app: FastifyInstance, { datasets, measureDataset }: Parts): void {
  route(app, DATASETS.allFields, (request) => {
    const readable = datasets.list().filter(({ name }) => isAllowed(request, 'query|read', name))
    return readable.map((dataset) => ({ datasetName: dataset.name, fields: nameableIn(dataset) }))
  })

  route(app, DATASETS.info, async (request, reply) => {
    const dataset = datasets.get(request.params.name)
    const measured = await measureDataset(dataset, callerOf(request), goneSignal(reply))
    const fields = fieldsOf(dataset)
    return {
      name: dataset.name,
      numFields: fields.length,
      ...measured,
      created: formatMillis(dataset.createdAtMs),
      who: dataset.createdBy,
      fields,
    }
  })
}

/** @returns what a query of the dataset can name: its fields, and its virtual fields, which come before fields of the same name */
function nameableIn(dataset: Dataset): DatasetField[] {
  const virtual = dataset.virtualFields.map(({ id: _, expression: __, ...shown }) => ({ ...shown, hidden: false }))
  const stored = fieldsOf(dataset).filter(({ name }) => !virtual.some((field) => field.name === name))
  return [...stored, ...virtual]
}

function toWire(dataset: Dataset, request: Pick<FastifyRequest, 'token'>): DatasetOnTheWire {
  const { name, description, createdAtMs, updatedAtMs, createdBy, retentionDays, kind, edgeDeployment, strictTime } = dataset
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
    mapFields: [...dataset.mapFields],
    indexedFields: [...dataset.indexedFields],
    strictTime,
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
  const { description, indexedFields, strictTime } = change
  return dropUndefined({ description, indexedFields, strictTime, retentionDays: retentionOf(change) })
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
