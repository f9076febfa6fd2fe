/** The table of datasets: the size and first event of each, and the actions on it. On a narrow page every row is a card. */
import type { Dataset, DatasetInfo } from '@deployment-annotations/contract/schemas/dataset'
import { view } from '../address/navigation.ts'
import { DEFAULT_VIEW } from '../address/view.ts'
import { Act } from '../parts/act.tsx'
import { Moment } from '../parts/moment.tsx'
import { TableHead } from '../parts/table-head.tsx'
import { ViewLink } from '../parts/view-link.tsx'
import { may } from '../service/session.ts'
import { describeRetention, formatBytes } from './dataset-text.ts'
import type { Size } from './use-sizes.ts'

export type DatasetAct = 'fields' | 'change' | 'trim' | 'delete'

interface DatasetTableProps {
  datasets: readonly Dataset[]
  sizes: ReadonlyMap<string, Size>
  onAct: (act: DatasetAct, dataset: Dataset) => void
}

export function DatasetTable({ datasets, sizes, onAct }: DatasetTableProps) {
  return (
    <table class="card">
      <TableHead names={['Name', 'Events', 'On disk', 'Oldest', 'Newest', 'Kept']} numbers={['Events', 'On disk']} acts="Acts" />
      <tbody>
        {datasets.map((dataset) => (
          <Row key={dataset.name} dataset={dataset} size={sizes.get(dataset.name)} onAct={(act) => onAct(act, dataset)} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ dataset, size, onAct }: { dataset: Dataset; size: Size | undefined; onAct: (act: DatasetAct) => void }) {
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
      <td data-label="Oldest">{info ? <Edge time={info.minTime} /> : '…'}</td>
      <td data-label="Newest">{info ? <Edge time={info.maxTime} /> : '…'}</td>
    </>
  )
}

/** A cluster does not report the compressed size. */
function Bytes({ info: { numEvents, compressedBytes, inputBytes } }: { info: DatasetInfo }) {
  if (numEvents > 0 && inputBytes === 0) return <span>not known</span>
  return <span title={`${formatBytes(inputBytes)} before they are compressed`}>{formatBytes(compressedBytes)}</span>
}

const Edge = ({ time }: { time: string | undefined }) => (time === undefined ? <span>–</span> : <Moment time={time} />)

function Acts({ name, onAct }: { name: string; onAct: (act: DatasetAct) => void }) {
  return (
    <>
      <Act words="Fields" on={`of ${name}`} onClick={() => onAct('fields')} />
      {may('datasets|update', [name]) && <Act words="Change" on={name} onClick={() => onAct('change')} />}
      {may('trim|update', [name]) && <Act words="Trim" on={name} onClick={() => onAct('trim')} />}
      {may('datasets|delete', [name]) && <Act words="Delete" on={name} isDangerous onClick={() => onAct('delete')} />}
    </>
  )
}
