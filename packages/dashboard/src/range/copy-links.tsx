/** Copies the address of the page: as it is, or with the times that are shown, where it goes on with the clock. */

import { view } from '../address/navigation.ts'
import { formatRange, isMoving, type Range } from '../address/range.ts'
import { formatView, type View } from '../address/view.ts'
import { CopyButton } from '../parts/copy-button.tsx'

export function CopyLinks({ range }: { range: Range | undefined }) {
  const { startTime, endTime } = view.value
  const moves = range !== undefined && isMoving(startTime, endTime)
  return (
    // What was copied of another range is not this one.
    <div class="copy-links" key={`${startTime} ${endTime}`}>
      {moves && <p class="hint">A link goes on with the clock; with fixed times it shows these to everybody.</p>}
      <CopyButton label="Copy link" text={location.origin + formatView(view.value)} />
      {moves && <CopyButton label="Copy link with fixed times" text={location.origin + formatView(fixed(view.value, range))} />}
    </div>
  )
}

/** What stands still has nothing to wait for. */
function fixed(moving: View, range: Range): View {
  return { ...moving, ...formatRange(range), live: false, refresh: '' }
}
