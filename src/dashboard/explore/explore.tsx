/** The page of charts: events over time with the annotations on them. */
import { useState } from 'preact/hooks'
import { useLoad } from '../parts/use-load.ts'
import { QueryEditor } from '../query/query-editor.tsx'
import { kindOf } from '../query/result-kind.ts'
import { ResultNumber } from '../query/result-number.tsx'
import { ResultTable } from '../query/result-table.tsx'
import { listDatasets } from '../service/datasets.ts'
import { queryTables } from '../service/query.ts'
import { navigate, view } from '../view/navigation.ts'
import { formatRange, resolveRange } from '../view/range.ts'

export function Explore() {
  const { apl, startTime, endTime, utc } = view.value
  const [isOpen, setOpen] = useState(apl !== '')
  const [runs, setRuns] = useState(0)
  const datasets = useLoad(listDatasets, [])
  const range = () => formatRange(resolveRange(startTime, endTime, Date.now()))
  const answer = useLoad(apl === '' ? undefined : async (signal) => queryTables({ apl, ...range() }, signal), [
    apl,
    startTime,
    endTime,
    runs,
  ])
  return (
    <>
      <h1>Explore</h1>
      {isOpen ? (
        <QueryEditor
          apl={apl}
          isRunning={answer.isLoading}
          error={answer.error}
          datasets={datasets.data?.map(({ name }) => name) ?? []}
          onRun={(text) => {
            navigate({ apl: text })
            setRuns(runs + 1)
          }}
          onClose={() => {
            setOpen(false)
            navigate({ apl: '' })
          }}
        />
      ) : (
        <button type="button" onClick={() => setOpen(true)}>
          Query
        </button>
      )}
      {answer.data && (
        <section aria-label="Result">
          {kindOf(answer.data) === 'number' ? (
            <ResultNumber answer={answer.data} />
          ) : (
            <ResultTable answer={answer.data} utc={utc} />
          )}
        </section>
      )}
    </>
  )
}
