/** The way back from far down a long page, such as ten thousand events. */
import { useEffect, useState } from 'preact/hooks'

/** So many heights of the window further down it is offered. */
const SCREENS = 2

export function BackToTop() {
  const [isFar, setFar] = useState(false)
  useEffect(() => {
    const look = () => setFar(scrollY > SCREENS * innerHeight)
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [])
  if (!isFar) return null
  return (
    <button
      type="button"
      class="back-to-top"
      onClick={() => {
        // The button goes away with the focus on it.
        document.getElementById('main')?.focus({ preventScroll: true })
        scrollTo(0, 0)
      }}
    >
      ↑ Back to top
    </button>
  )
}
