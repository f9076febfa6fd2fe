/** Saves a chart as a picture. What draws it is loaded with the first click. */
import type { RefObject } from 'preact'
import { formatTimes } from '../address/format-time.ts'
import type { Range } from '../address/range.ts'
import { useAttempt } from '../parts/use-attempt.ts'
import { describeError } from '../service/request.ts'

interface PictureButtonProps {
  /** The chart with its marks and its legend. */
  place: RefObject<HTMLElement | null>
  label: string
  /** What is charted, if it is the answer to a query; else empty. */
  query: string
  range: Range
  utc: boolean
}

export function PictureButton({ place, label, query, range: { startMs, endMs }, utc }: PictureButtonProps) {
  const { error, isBusy, attempt } = useAttempt()
  const save = async () => {
    const { savePicture } = await import('../chart/picture.ts')
    if (place.current) await savePicture(place.current, { title: label, lines: [formatTimes(startMs, endMs, utc), query] })
  }
  return (
    <>
      {error !== undefined && (
        <span class="hint" role="alert">
          Not saved: {describeError(error)}
        </span>
      )}
      <button
        type="button"
        class="quiet"
        aria-disabled={isBusy}
        aria-label={`Download ${label} as PNG`}
        onClick={() => void attempt(save)}
      >
        PNG
      </button>
    </>
  )
}
