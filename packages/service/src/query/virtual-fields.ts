/**
 * The rules of virtual fields: what can be defined, and how a definition is found. They are kept with their dataset, and queries
 * compute them; see packages/apl/src/query/virtual-field.ts.
 */
import { randomBytes } from 'node:crypto'
import { QueryError } from '@deployment-annotations/apl/error'
import { compileLegacy } from '@deployment-annotations/apl/legacy'
import { parseVirtualField } from '@deployment-annotations/apl/query/virtual-field'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { type NewVirtualField, VIRTUAL_FIELDS_MAX } from '@deployment-annotations/contract/virtual-field'
import type { Dataset } from '@deployment-annotations/event-store/datasets/dataset'
import type { Datasets } from '@deployment-annotations/event-store/datasets/datasets'
import type { StoredVirtualField } from '@deployment-annotations/records/datasets/dataset-records'
import type { Caller } from '@deployment-annotations/runtime/caller'
import { invalid, quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import { readCatalog } from './catalog.ts'

/** A definition and where it belongs. */
export interface FoundVirtualField {
  dataset: string
  field: StoredVirtualField
}

export class VirtualFields {
  readonly #datasets: Datasets

  constructor(datasets: Datasets) {
    this.#datasets = datasets
  }

  /** @param dataset all where absent; none where there is no such dataset */
  list(dataset: string | undefined): FoundVirtualField[] {
    const named = dataset === undefined ? this.#datasets.list() : [this.#datasets.get(dataset)]
    return named.flatMap(({ name, virtualFields }) => virtualFields.map((field) => ({ dataset: name, field })))
  }

  /**
   * @param by a caller that does not reach its dataset is not told that it is there
   * @throws ServiceError `not_found`
   */
  get(id: string, { limit }: Pick<Caller, 'limit'>): FoundVirtualField {
    const found = this.list(undefined).find(({ field }) => field.id === id)
    return found && (limit?.includes(found.dataset) ?? true) ? found : absent(id)
  }

  /** @throws ServiceError `not_found` for the dataset, `exists` for the name, `invalid` */
  async create(wanted: NewVirtualField): Promise<FoundVirtualField> {
    this.#check(wanted)
    const field = { ...textsOf(wanted), id: `vf_${randomBytes(8).toString('hex')}` }
    await this.#datasets.changeBy(wanted.dataset, ({ virtualFields }) => {
      if (virtualFields.length >= VIRTUAL_FIELDS_MAX)
        throw invalid(VALIDATION_CODES.itemsMax, `a dataset can have at most ${VIRTUAL_FIELDS_MAX} virtual fields; delete one`)
      return { virtualFields: withField(virtualFields, field) }
    })
    return { dataset: wanted.dataset, field }
  }

  /** @throws as `create`; `not_found` for the id */
  async change({ dataset, field: { id } }: FoundVirtualField, wanted: NewVirtualField): Promise<FoundVirtualField> {
    if (wanted.dataset !== dataset) {
      const message = `dataset must stay ${quoted(dataset)}, got ${quoted(wanted.dataset)}; create the virtual field there, and delete this one`
      throw invalid(VALIDATION_CODES.enum, message)
    }
    this.#check(wanted)
    const field = { ...textsOf(wanted), id }
    await this.#datasets.changeBy(dataset, ({ virtualFields }) => {
      if (!virtualFields.some((other) => other.id === id)) absent(id)
      return { virtualFields: withField(virtualFields, field) }
    })
    return { dataset, field }
  }

  /** @throws ServiceError `not_found` */
  async remove({ dataset, field: { id } }: FoundVirtualField): Promise<void> {
    await this.#datasets.changeBy(dataset, ({ virtualFields }) => {
      const rest = virtualFields.filter((field) => field.id !== id)
      return rest.length < virtualFields.length ? { virtualFields: rest } : absent(id)
    })
  }

  /** A field that no event has yet is no mistake: the definition may come before the events. */
  #check({ dataset, name, expression }: NewVirtualField): void {
    const { name: known } = this.#datasets.get(dataset)
    try {
      parseVirtualField(expression)
      const options = {
        datasets: readCatalog({ datasets: onlyStored(this.#datasets), sources: [], mayRead: (name) => name === known }),
        range: { startNs: 0n, endNs: 0n },
        nowNs: 0n,
      }
      compileLegacy({ virtualFields: [{ alias: name, expr: expression }] }, known, options)
    } catch (error) {
      if (!(error instanceof Error) || !['QueryError', 'CompileError'].includes(error.name)) throw error
      if (error.message.startsWith('invalid field')) return
      const text = error instanceof QueryError ? error.explain() : error.message
      throw invalid(VALIDATION_CODES.pattern, `expression ${quoted(expression)} cannot be computed: ${text}`)
    }
  }
}

/** The datasets without their virtual fields: one cannot be made of another. */
function onlyStored(datasets: Datasets): Pick<Datasets, 'list'> {
  return { list: () => datasets.list().map((dataset): Dataset => ({ ...dataset, virtualFields: [] })) }
}

/** The list with this definition instead of the one of the same id, or as the last one. @throws ServiceError `exists` */
function withField(fields: readonly StoredVirtualField[], field: StoredVirtualField): StoredVirtualField[] {
  if (fields.some(({ id, name }) => name === field.name && id !== field.id))
    throw new ServiceError('exists', `there is a virtual field ${quoted(field.name)} already`)
  const at = fields.findIndex(({ id }) => id === field.id)
  return at === -1 ? [...fields, field] : fields.with(at, field)
}

function textsOf({ name, expression, description = '', type = '', unit = '' }: NewVirtualField): Omit<StoredVirtualField, 'id'> {
  return { name, expression, description, type, unit }
}

function absent(id: string): never {
  throw new ServiceError('not_found', `virtual field ${id} not found`)
}
