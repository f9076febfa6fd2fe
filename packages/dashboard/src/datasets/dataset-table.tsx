/** The table of datasets: the size and first event of each, and the actions on it. On a narrow page every row is a card. */
import type { Dataset, DatasetInfo } from '@deployment-annotations/contract/schemas/dataset'
import { formatTime } from '../address/format-time.ts'
import { view } from '../address/navigation.ts'
import { DEFAULT_VIEW } from '../address/view.ts'
import { ViewLink } from '../parts/view-link.tsx'
import { may } from '../service/session.ts'
import { describeRetention, formatBytes } from './dataset-text.ts'
import type { Size } from './use-sizes.ts'

export type Act = 'fields' | 'change' | 'trim' | 'delete'

interface DatasetTableProps {
  datasets: readonly Dataset[]
  sizes: ReadonlyMap<string, Size>
  onAct: (act: Act, dataset: Dataset) => void
}

export function DatasetTable({ datasets, sizes, onAct }: DatasetTableProps) {
  return (
    <table class="card">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col" class="number">
            Events
          </th>
          <th scope="col" class="number">
            On disk
          </th>
          <th scope="col">Oldest</th>
          <th scope="col">Newest</th>
          <th scope="col">Kept</th>
          <th scope="col">
            <span class="visually-hidden">Acts</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {datasets.map((dataset) => (
          <Row key={dataset.name} dataset={dataset} size={sizes.get(dataset.name)} onAct={(act) => onAct(act, dataset)} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ dataset, size, onAct }: { dataset: Dataset; size: Size | undefined; onAct: (act: Act) => void }) {
  const { name, description } = dataset
  return (
    <tr>
      <th scope="row">
        <ViewLink to={{ ...DEFAULT_VIEW, datasets: [name], zone: view.value.zone }}>{name}</ViewLink>
        {description !== '' && <span class="clip description">{description}</span>}
      </th>
      {size?.error !== undefined ? (
        <td colSpan={4} class="clip unknown">
          {size.error}
        </td>
      ) : (
        <Sizes info={size?.info} />
      )}
      <td data-label="Kept">{describeRetention(dataset)}</td>
      <td>
        <span class="row">
          <Acts name={name} onAct={onAct} />
        </span>
      </td>
    </tr>
  )
}

function Sizes({ info }: { info: DatasetInfo | undefined }) {
  return (
    <>
      <td data-label="Events" class="number">
        {info ? info.numEvents.toLocaleString('en') : '…'}
      </td>
      <td data-label="On disk" class="number">
        {info ? <Bytes info={info} /> : '…'}
      </td>
      <td data-label="Oldest">{info ? <Moment time={info.minTime} /> : '…'}</td>
      <td data-label="Newest">{info ? <Moment time={info.maxTime} /> : '…'}</td>
    </>
  )
}

/** A cluster does not report the compressed size. */
function Bytes({ info: { numEvents, compressedBytes, inputBytes } }: { info: DatasetInfo }) {
  if (numEvents > 0 && inputBytes === 0) return <span>not known</span>
  return <span title={`${formatBytes(inputBytes)} before they are compressed`}>{formatBytes(compressedBytes)}</span>
}

function Moment({ time }: { time: string | undefined }) {
  if (time === undefined) return <span>–</span>
  return (
    <time dateTime={time} title={time}>
      {formatTime(time, view.value.zone).replace(/\.\d+/, '')}
    </time>
  )
}

function Acts({ name, onAct }: { name: string; onAct: (act: Act) => void }) {
  const button = (act: Act, words: string, label: string) => (
    <button type="button" class={act === 'delete' ? 'danger' : ''} aria-label={label} onClick={() => onAct(act)}>
      {words}
    </button>
  )
  return (
    <>
      {button('fields', 'Fields', `Fields of ${name}`)}
      {may('datasets|update', [name]) && button('change', 'Change', `Change ${name}`)}
      {may('trim|update', [name]) && button('trim', 'Trim', `Trim ${name}`)}
      {may('datasets|delete', [name]) && button('delete', 'Delete', `Delete ${name}`)}
    </>
  )
}
