/** A time to the second, in the zone of the page; the tooltip has all of its digits. */

import type { ComponentChildren } from 'preact'
import { formatTime } from '../address/format-time.ts'
import { view } from '../address/navigation.ts'

export function Moment({ time, children }: { time: string; children?: ComponentChildren }) {
  return (
    <time dateTime={time} title={time}>
      {children ?? formatTime(time, view.value.zone).replace(/\.\d+/, '')}
    </time>
  )
}
