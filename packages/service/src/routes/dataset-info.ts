/**
 * What is known about datasets: the fields of all of them at once, which editors complete names from, and how much one holds.
 */
import { ALL_FIELDS_PATH, DATASETS_V1_PATH } from '@deployment-annotations/contract/dataset'
import type { DatasetField } from '@deployment-annotations/contract/schemas/dataset'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import type { Dataset } from '@deployment-annotations/event-store/datasets/dataset'
import type { Datasets } from '@deployment-annotations/event-store/datasets/datasets'
import type { FastifyInstance } from 'fastify'
import { callerOf, isAllowed } from '../http/auth.ts'
import { goneSignal } from '../http/gone-signal.ts'
import { typed } from '../http/schemas.ts'
import type { MeasureDataset } from '../query/dataset-size.ts'
import { fieldsOf } from './datasets.ts'
import { ALL_FIELDS, INFO } from './schemas/datasets.ts'

export function addDatasetInfoRoutes(app: FastifyInstance, datasets: Datasets, measure: MeasureDataset): void {
  const routes = typed(app)

  routes.get(ALL_FIELDS_PATH, {
    // Editors ask with the token that they query with.
    config: { permission: 'query|read' },
    schema: ALL_FIELDS,
    handler: async (request) => {
      const readable = datasets.list().filter(({ name }) => isAllowed(request, 'query|read', name))
      return readable.map((dataset) => ({ datasetName: dataset.name, fields: nameableIn(dataset) }))
    },
  })

  routes.get(`${DATASETS_V1_PATH}/:name/info`, {
    config: { permission: 'datasets|read' },
    schema: INFO,
    handler: async (request, reply) => {
      const dataset = datasets.get(request.params.name)
      const { events, times, ...bytes } = await measure(dataset, callerOf(request), goneSignal(reply))
      const fields = fieldsOf(dataset)
      return {
        name: dataset.name,
        numEvents: events,
        numFields: fields.length,
        ...bytes,
        ...times,
        created: formatTimestamp(BigInt(dataset.createdAtMs) * 1_000_000n),
        who: dataset.createdBy,
        fields,
      }
    },
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
