/** The page of datasets: the size and retention of each, its fields, and what deletes events. */
import './datasets.css'
import type { DatasetInfo } from '@deployment-annotations/contract/dataset'
import { DATASET_DESCRIPTION_POINTS_MAX, RETENTION_DAYS_MAX } from '@deployment-annotations/contract/dataset'
import type { ComponentChildren } from 'preact'
import { view } from '../address/navigation.ts'
import { formatInUnit } from '../address/unit.ts'
import { DEFAULT_VIEW } from '../address/view.ts'
import { Moment } from '../parts/moment.tsx'
import { checkDatasetNames } from '../parts/plain-words.ts'
import type { FormOf, FormView } from '../resources/fields.ts'
import type { Resource } from '../resources/resource.ts'
import { ResourceSection } from '../resources/resource-page.tsx'
import { datasetRequests } from '../service/datasets.ts'
import { FieldsDialog } from './fields-dialog.tsx'
import { countOf, Trim } from './trim.tsx'
import { type Sized, useSizes } from './use-sizes.ts'

/** Each row costs the service a query. */
const PAGE_ROWS = 25

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
    {
      name: 'retentionDays',
      label: 'Days that events are kept',
      kind: 'number',
      placeholder: 'forever',
      min: 1,
      max: RETENTION_DAYS_MAX,
      read: (days: number) => (days === 0 ? '' : String(days)),
    },
  ],
  finish: ({ retentionDays, ...members }) => ({
    ...members,
    ...(retentionDays !== undefined && { retentionDays, useRetentionPeriod: retentionDays !== 0 }),
  }),
  Panel: ShorterRetention,
}

const DATASETS: Resource<Sized> = {
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
    { name: 'Events', isNumber: true, cell: (one) => ofSize(one, ({ numEvents }) => numEvents.toLocaleString('en')) },
    { name: 'On disk', isNumber: true, cell: (one) => ofSize(one, bytesOf) },
    { name: 'Oldest', cell: (one) => ofSize(one, ({ minTime }) => minTime && <Moment time={minTime} />) },
    { name: 'Newest', cell: (one) => ofSize(one, ({ maxTime }) => maxTime && <Moment time={maxTime} />) },
    { name: 'Retention', cell: ({ retentionDays }) => (retentionDays === 0 ? 'forever' : countDays(retentionDays)) },
  ],
  none: 'There are no datasets yet.',
  form: FORM,
  actions: [
    { words: 'Fields', permission: 'datasets|read', View: FieldsDialog },
    { words: 'Trim', permission: 'trim|update', View: Trim },
  ],
  deletion: {
    about: (one) => (
      <p>
        {countOf(one)} of <strong class="clip">{one.name}</strong>, its fields and its virtual fields are deleted at once, and
        cannot be brought back. Annotations stay; monitors that read it report an error.
      </p>
    ),
    isTyped: true,
  },
}

export function Datasets() {
  return <ResourceSection resource={DATASETS} />
}

function ShorterRetention({ texts, before, isNew }: FormView) {
  const days = Number(texts.retentionDays)
  const daysBefore = Number(before.retentionDays) || Number.POSITIVE_INFINITY
  if (isNew || days === 0 || days >= daysBefore) return null
  return <p class="failure">Events older than {countDays(days)} will be deleted permanently, soon after you save.</p>
}

const countDays = (days: number) => new Intl.NumberFormat('en', { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(days)

/** @returns what is known of a size, or stands for it: a dash if nothing is, and not yet if it is being loaded */
function ofSize({ size }: Sized, show: (info: DatasetInfo) => ComponentChildren): ComponentChildren {
  if (size?.info) return show(size.info) ?? '–'
  return size?.error === undefined ? '…' : '–'
}

/** A cluster does not report the compressed size. */
function bytesOf({ numEvents, compressedBytes, inputBytes }: DatasetInfo) {
  if (numEvents > 0 && inputBytes === 0) return 'not known'
  return (
    <span title={`${formatInUnit(inputBytes, 'bytes')} before they are compressed`}>
      {formatInUnit(compressedBytes, 'bytes')}
    </span>
  )
}
