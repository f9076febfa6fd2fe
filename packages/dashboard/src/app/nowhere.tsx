/** The page for an unknown address. */
import { DEFAULT_VIEW } from '../address/view.ts'
import { ViewLink } from '../parts/view-link.tsx'

export function Nowhere() {
  return (
    <>
      <h1>There is nothing here</h1>
      <ViewLink to={DEFAULT_VIEW}>Go to the charts</ViewLink>
    </>
  )
}
