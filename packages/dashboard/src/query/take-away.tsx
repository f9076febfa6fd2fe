/** The buttons that copy the rows of a result or save them as a file. */
import { useCopy } from '../parts/copy.tsx'
import { saveFile } from '../parts/save-file.ts'
import type { Table } from '../service/query.ts'
import { writeCsv, writeJson } from './rows-as-text.ts'

/** @param rows indexes of the rows, in order */
export function TakeAway({ table, rows }: { table: Table; rows: readonly number[] }) {
  const [said, copy] = useCopy()
  const words = rows.length === 1 ? 'Copied 1 row' : `Copied ${rows.length.toLocaleString('en')} rows`
  return (
    <span class="row">
      <span class="hint" role="status">
        {said}
      </span>
      <button type="button" class="quiet" onClick={() => copy(writeCsv(table, rows), words)}>
        Copy as CSV
      </button>
      <button type="button" class="quiet" onClick={() => saveFile('result.csv', 'text/csv', writeCsv(table, rows))}>
        Download CSV
      </button>
      <button type="button" class="quiet" onClick={() => saveFile('result.json', 'application/json', writeJson(table, rows))}>
        Download JSON
      </button>
    </span>
  )
}
