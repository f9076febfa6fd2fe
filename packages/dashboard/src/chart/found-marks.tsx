/** The row of marks that a query found. */
import { formatTime } from '../address/format-time.ts'
import './found-marks.css'
import type { Found, FoundGroup } from './found.ts'
import { MarkBar } from './mark-bar.tsx'

interface FoundMarksProps {
  label: string
  groups: readonly FoundGroup[]
  /** The left edge of the plot, in pixels. */
  left: number
  zone: string
  /** Called with the time of a clicked mark, in milliseconds since the epoch. */
  onLook: (ms: number) => void
}

export function FoundMarks({ label, zone, onLook, ...bar }: FoundMarksProps) {
  return (
    <MarkBar
      {...bar}
      class="found-marks"
      label={`Annotations from the query on ${label}`}
      wordsOf={({ ms, title }: Found) => {
        const when = formatTime(ms, zone)
        return { key: ms, title, when, name: `${title}, ${when}` }
      }}
      lookOf={({ marks: { length } }) =>
        length === 1
          ? { class: 'found', sign: '◆', text: '' }
          : { class: 'found', sign: '', text: length > 99 ? '99+' : String(length) }
      }
      onPick={({ marks: [first] }) => first && onLook(first.ms)}
    />
  )
}
