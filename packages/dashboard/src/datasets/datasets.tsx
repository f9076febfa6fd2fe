/** The page of datasets: the size and retention of each, its fields, and what deletes events. */
import './datasets.css'
import type { Dataset, DatasetChange, DatasetInfo } from '@deployment-annotations/contract/dataset'
import { DATASET_DESCRIPTION_POINTS_MAX, RETENTION_DAYS_MAX } from '@deployment-annotations/contract/dataset'
import { view } from '../address/navigation.ts'
import { DEFAULT_VIEW } from '../address/view.ts'
import { Moment } from '../parts/moment.tsx'
import { checkDatasetNames } from '../parts/plain-words.ts'
import type { FormOf, FormState, FormView, Options, Texts } from '../resources/fields.ts'
import type { Resource } from '../resources/resource.ts'
import { ResourceSection } from '../resources/resource-page.tsx'
import { datasetRequests } from '../service/datasets.ts'
import { describeRetention, formatBytes } from './dataset-text.ts'
import { FieldsDialog } from './fields-dialog.tsx'
import { countOf, Trim } from './trim.tsx'
import { type Size, type Sized, useSizes } from './use-sizes.ts'

/** Each row costs the service a query. */
const PAGE_ROWS = 25

const RETENTIONS: Options = [
  ['', 'forever'],
  ['days', 'for a number of days'],
]
const isLimited = ({ texts }: FormState) => texts.retention === 'days'

const FORM: FormOf = {
  fields: [
    {
      name: 'name',
      label: 'Name',
      required: true,
      hint: 'Letters from a to z, digits and -. It stays: a dataset cannot be renamed.',
      write: (name) => {
        checkDatasetNames([name])
        return name
      },
      isShown: ({ isNew }) => isNew,
    },
    { name: 'description', label: 'Description', maxLength: DATASET_DESCRIPTION_POINTS_MAX },
    { name: 'indexedFields', label: 'Indexed fields', kind: 'names', hint: 'Besides those with usual names, such as status.' },
    { name: 'strictTime', label: 'Only _time is read as the time of events, not timestamp or the like', kind: 'switch' },
    { name: 'retention', label: 'Events are kept', kind: 'radio', options: RETENTIONS },
    {
      name: 'retentionDays',
      label: 'Days',
      kind: 'number',
      required: true,
      min: 1,
      max: RETENTION_DAYS_MAX,
      initial: '30',
      isShown: isLimited,
    },
  ],
  read: ({ retentionDays }: Dataset): Texts => (retentionDays === 0 ? {} : { retention: 'days' }),
  finish: ({ retention, retentionDays, ...members }, texts) => ({
    ...members,
    ...((retention !== undefined || retentionDays !== undefined) && retentionOf(texts)),
  }),
  Panel: ShorterRetention,
}

const DATASETS: Resource<Dataset & Sized> = {
  title: 'Datasets',
  noun: 'dataset',
  about: 'Events are sent to a dataset and kept there. One is created by the first event that is sent to it, or here.',
  permission: 'datasets',
  requests: datasetRequests,
  datasetsOf: ({ name }) => [name],
  useRows: useSizes,
  rowsMax: PAGE_ROWS,
  link: ({ name }) => ({ ...DEFAULT_VIEW, datasets: [name], zone: view.value.zone }),
  sentence: ({ description, size }) => (
    <>
      {description}
      {size?.error !== undefined && <p class="is-bad">{size.error}</p>}
    </>
  ),
  columns: [
    { name: 'Events', isNumber: true, cell: ({ size }) => size?.info?.numEvents.toLocaleString('en') ?? unknown(size) },
    { name: 'On disk', isNumber: true, cell: ({ size }) => (size?.info ? bytesOf(size.info) : unknown(size)) },
    { name: 'Oldest', cell: ({ size }) => edgeOf(size, 'minTime') },
    { name: 'Newest', cell: ({ size }) => edgeOf(size, 'maxTime') },
    { name: 'Retention', cell: describeRetention },
  ],
  none: 'There are no datasets yet.',
  form: FORM,
  actions: [
    { words: 'Fields', permission: 'datasets|read', View: FieldsDialog },
    { words: 'Trim', permission: 'trim|update', View: Trim },
  ],
  deletion: {
    about: ({ name, size }) => (
      <p>
        {countOf(size)} of <strong class="clip">{name}</strong>, its fields and its virtual fields are deleted at once, and cannot
        be brought back. Annotations stay; monitors that read it report an error.
      </p>
    ),
    isTyped: true,
  },
}

export function Datasets() {
  return <ResourceSection resource={DATASETS} />
}

function retentionOf({ retention, retentionDays }: Texts): DatasetChange {
  return retention === 'days' ? { useRetentionPeriod: true, retentionDays: Number(retentionDays) } : { useRetentionPeriod: false }
}

function ShorterRetention(form: FormView) {
  const { texts, before, isNew } = form
  const days = Number(texts.retentionDays)
  const isShorter = isLimited(form) && (before.retention !== 'days' || days < Number(before.retentionDays))
  if (isNew || !isShorter) return null
  return (
    <p class="failure">
      Events older than {describeRetention({ retentionDays: days })} will be deleted permanently, soon after you save.
    </p>
  )
}

/** @returns what stands for a size that is not known, or not yet */
function unknown(size: Size | undefined): string {
  return size?.error === undefined ? '…' : '–'
}

/** A cluster does not report the compressed size. */
function bytesOf({ numEvents, compressedBytes, inputBytes }: DatasetInfo) {
  if (numEvents > 0 && inputBytes === 0) return 'not known'
  return <span title={`${formatBytes(inputBytes)} before they are compressed`}>{formatBytes(compressedBytes)}</span>
}

function edgeOf(size: Size | undefined, edge: 'minTime' | 'maxTime') {
  if (!size?.info) return unknown(size)
  const time = size.info[edge]
  return time === undefined ? '–' : <Moment time={time} />
}
