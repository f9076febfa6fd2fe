/** A time to the second, in the zone of the page; the tooltip has all of its digits. */
import { formatTime } from '../address/format-time.ts'
import { view } from '../address/navigation.ts'

export function Moment({ time }: { time: string }) {
  return (
    <time dateTime={time} title={time}>
      {formatTime(time, view.value.zone).replace(/\.\d+/, '')}
    </time>
  )
}
