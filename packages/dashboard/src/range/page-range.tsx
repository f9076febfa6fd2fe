/** The range of the page and how often it is refreshed: both are in its address. */
import { navigate, view } from '../address/navigation.ts'
import type { Range } from '../address/range.ts'
import { RangePicker } from './range-picker.tsx'

export function PageRange({ range, onRefresh }: { range: Range | undefined; onRefresh: () => void }) {
  const { startTime, endTime, utc, refresh } = view.value
  return (
    <RangePicker
      startTime={startTime}
      endTime={endTime}
      range={range}
      utc={utc}
      onChange={(times) => navigate(times)}
      onUtc={(inUtc) => navigate({ utc: inUtc }, true)}
      onRefresh={onRefresh}
      every={refresh}
      onEvery={(every) => navigate({ refresh: every }, true)}
    />
  )
}
