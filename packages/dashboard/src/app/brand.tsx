/** The product's mark and name, which lead to the charts. */
import { ViewLink } from '../parts/view-link.tsx'
import { DEFAULT_VIEW } from '../view/view.ts'

export function Brand() {
  return (
    <ViewLink to={DEFAULT_VIEW} class="brand">
      <img src="/assets/icon.svg" alt="Deployment annotations" width="26" height="26" />
    </ViewLink>
  )
}
