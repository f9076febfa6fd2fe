/** The button back to the top of a long page, such as one of ten thousand events. */
import { useEffect, useState } from 'preact/hooks'

/** The button appears after scrolling by this number of window heights. */
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
        // The button disappears and would take the focus with it.
        document.getElementById('main')?.focus({ preventScroll: true })
        scrollTo(0, 0)
      }}
    >
      ↑ Back to top
    </button>
  )
}
