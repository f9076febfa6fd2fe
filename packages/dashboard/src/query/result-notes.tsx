/** The notes below a result: how long it took, and the messages of its answer. */
import { cutText } from '@deployment-annotations/contract/text'
import { useEffect, useState } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import { Failure } from '../parts/failure.tsx'
import { useAttempt } from '../parts/use-attempt.ts'
import { datasetRequests } from '../service/datasets.ts'
import type { Status } from '../service/query.ts'
import { may } from '../service/session.ts'
import { showName, showUnseen } from './name.ts'

export function RunningTime() {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <>
      <progress class="running" aria-label="The query runs" />
      <span class="hint" role="status">
        Running…
      </span>
      {seconds > 0 && (
        <span class="hint" aria-hidden="true">
          {seconds} s
        </span>
      )}
    </>
  )
}

const NOTE_POINTS_MAX = 500

/** What is suggested has the filters of the page in it: it is written from the query that was sent. */
export function ResultNotes({ status }: { status: Status }) {
  if (status.messages.length === 0) return null
  return (
    <ul class="result-notes hint">
      {status.messages.map(({ code, msg, suggestion, unindexed }) => (
        <li key={`${code} ${msg}`}>
          {cutText(showUnseen(msg), NOTE_POINTS_MAX)}
          {suggestion !== undefined && view.value.apl !== '' && (
            <button type="button" class="quiet" onClick={() => navigate({ apl: suggestion, filters: [] })}>
              Correct it
            </button>
          )}
          {unindexed && may('datasets|update', [unindexed.dataset]) && <IndexField {...unindexed} />}
        </li>
      ))}
    </ul>
  )
}

function IndexField({ dataset, field }: { dataset: string; field: string }) {
  const { error, attempt } = useAttempt()
  const [isDone, setDone] = useState(false)
  const index = async () => {
    const { indexedFields } = await datasetRequests.get(dataset)
    await datasetRequests.change(dataset, { indexedFields: [...new Set([...indexedFields, field])] })
    setDone(true)
  }
  if (isDone) return <span role="status"> {showName(field)} is indexed.</span>
  return (
    <>
      <button type="button" class="quiet" onClick={() => void attempt(index)}>
        Index {showName(field)}
      </button>
      <Failure error={error} />
    </>
  )
}
