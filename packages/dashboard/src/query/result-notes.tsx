/** The notes below a result: how long it took, and the messages of its answer. */
import { cutText } from '@deployment-annotations/contract/text'
import { useEffect, useState } from 'preact/hooks'
import { navigate, view } from '../address/navigation.ts'
import type { View } from '../address/view.ts'
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
          {suggestion !== undefined && view.value.apl !== '' && <Act words="Correct it" to={{ apl: suggestion, filters: [] }} />}
          {unindexed && may('datasets|update', [unindexed.dataset]) && (
            <Act words={`Index ${showName(unindexed.field)}`} to={{ page: 'datasets', open: unindexed.dataset }} />
          )}
        </li>
      ))}
    </ul>
  )
}

function Act({ words, to }: { words: string; to: Partial<View> }) {
  return (
    <button type="button" class="quiet" onClick={() => navigate(to)}>
      {words}
    </button>
  )
}
