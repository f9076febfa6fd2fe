/** The page of datasets: the size and retention of each, and the actions on it. */
import '../parts/listing.css'
import './datasets.css'
import type { Dataset } from '@deployment-annotations/contract/schemas/dataset'
import { useState } from 'preact/hooks'
import { Failure } from '../parts/failure.tsx'
import { useLostFocus } from '../parts/focus.ts'
import { Pages, usePage } from '../parts/pages.tsx'
import { Permitted } from '../parts/permitted.tsx'
import { useLoad } from '../parts/use-load.ts'
import { useRefresh } from '../parts/use-refresh.ts'
import { datasetRequests } from '../service/datasets.ts'
import { may } from '../service/session.ts'
import { DatasetForm } from './dataset-form.tsx'
import { type DatasetAct, DatasetTable } from './dataset-table.tsx'
import { findDatasets } from './dataset-text.ts'
import { DeleteDataset, Trim } from './deletions.tsx'
import { FieldsDialog } from './fields-dialog.tsx'
import { useSizes } from './use-sizes.ts'

export function Datasets() {
  return (
    <Permitted title="Datasets" what="datasets" permission="datasets|read">
      <AllDatasets />
    </Permitted>
  )
}

/** Each row costs the service a query. */
const PAGE_ROWS = 25
const NONE: readonly Dataset[] = []

type OpenDialog = { act: 'create' } | { act: DatasetAct; dataset: Dataset }

function AllDatasets() {
  const [version, refresh] = useRefresh()
  const [dialog, setDialog] = useState<OpenDialog>()
  const [words, setWords] = useState('')
  const { data, error, isLoading } = useLoad(datasetRequests.list, [version])
  const all = data ?? NONE
  const found = findDatasets(all, words)
  const { page, shown } = usePage(found, PAGE_ROWS)
  const sizes = useSizes(
    shown.map(({ name }) => name),
    all,
  )
  const heading = useLostFocus<HTMLHeadingElement>(all.length)
  return (
    <div class="datasets listing" aria-busy={isLoading}>
      <div class="row">
        <h1 ref={heading} tabIndex={-1}>
          Datasets
        </h1>
        {may('datasets|create') && <NewButton onClick={() => setDialog({ act: 'create' })} />}
      </div>
      <p class="hint">Events are sent to a dataset and kept there. One is made by the first event that is sent to it, or here.</p>
      <Failure error={error} onRetry={refresh} />
      {!data && isLoading && <p class="hint">Loading…</p>}
      {data?.length === 0 && <p class="card">There are no datasets yet.</p>}
      {all.length > 0 && (
        <>
          <div class="row">
            <input
              type="search"
              aria-label="Find a dataset"
              placeholder="Find by name or description"
              value={words}
              onInput={({ currentTarget }) => {
                setWords(currentTarget.value)
                page.onFirst(0)
              }}
            />
            <Pages {...page} none="None of the datasets is like that." words={['Previous', 'Next']} />
          </div>
          <DatasetTable datasets={shown} sizes={sizes} onAct={(act, dataset) => setDialog({ act, dataset })} />
        </>
      )}
      {dialog && (
        <OpenDialogOf
          dialog={dialog}
          sizes={sizes}
          onClose={() => setDialog(undefined)}
          onDone={() => {
            setDialog(undefined)
            refresh()
          }}
        />
      )}
    </div>
  )
}

function NewButton({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" class="primary push" onClick={onClick}>
      New dataset
    </button>
  )
}

interface OpenDialogProps {
  dialog: OpenDialog
  sizes: ReturnType<typeof useSizes>
  onClose: () => void
  onDone: () => void
}

function OpenDialogOf({ dialog, sizes, onClose, onDone }: OpenDialogProps) {
  if (dialog.act === 'create') return <DatasetForm onClose={onClose} onSaved={onDone} />
  const { act, dataset } = dialog
  if (act === 'change') return <DatasetForm dataset={dataset} onClose={onClose} onSaved={onDone} />
  if (act === 'fields') return <FieldsDialog dataset={dataset} onClose={onClose} />
  const { name } = dataset
  const Deletion = act === 'trim' ? Trim : DeleteDataset
  return <Deletion name={name} size={sizes.get(name)} onClose={onClose} onDone={onDone} />
}
