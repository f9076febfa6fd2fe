/** Whether the window matches a media query, updated while it changes. */
import { useEffect, useState } from 'preact/hooks'

export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const follow = () => setMatches(media.matches)
    follow()
    media.addEventListener('change', follow)
    return () => media.removeEventListener('change', follow)
  }, [query])
  return matches
}
