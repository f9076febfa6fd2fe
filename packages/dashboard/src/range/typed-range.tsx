/** A range that is typed in, in the zone in which times are shown. */
import { useEffect, useState } from 'preact/hooks'
import type { Times } from '../address/range.ts'
import { resolveRange, TIME_FORMS } from '../address/range.ts'
import { withoutZone, withZone } from '../address/zone.ts'
import { closeMenu } from '../parts/menu.tsx'

interface TypedRangeProps extends Times {
  utc: boolean
  onChange: (times: Times) => void
}

export function TypedRange({ startTime, endTime, utc, onChange }: TypedRangeProps) {
  const shown = { startTime: withoutZone(startTime, utc), endTime: withoutZone(endTime, utc) }
  const [texts, setTexts] = useState(shown)
  const [error, setError] = useState('')
  useEffect(() => {
    setTexts(shown)
    setError('')
  }, [startTime, endTime, utc])
  // What was not edited stays what it was: the hour after clocks are put back has the same texts as the one before.
  const read = (name: keyof Times) => {
    const given = { startTime, endTime }[name]
    return texts[name] === shown[name] ? given : withZone(texts[name], utc)
  }
  const show = (form: Element) => {
    try {
      const times = { startTime: read('startTime'), endTime: read('endTime') }
      resolveRange(times.startTime, times.endTime, Date.now())
      setError('')
      onChange(times)
      closeMenu(form)
    } catch (failure) {
      setError(failure instanceof RangeError ? failure.message : String(failure))
    }
  }
  return (
    <form
      class="typed-range"
      onSubmit={(event) => {
        event.preventDefault()
        show(event.currentTarget)
      }}
    >
      <label for="range-start">From</label>
      <input
        id="range-start"
        value={texts.startTime}
        onInput={(event) => setTexts({ ...texts, startTime: event.currentTarget.value })}
      />
      <label for="range-end">To</label>
      <input
        id="range-end"
        value={texts.endTime}
        onInput={(event) => setTexts({ ...texts, endTime: event.currentTarget.value })}
      />
      <p class={error ? 'failure' : 'hint'} role={error ? 'alert' : undefined}>
        {error || TIME_FORMS}
      </p>
      <button type="submit" class="primary">
        Show
      </button>
    </form>
  )
}
