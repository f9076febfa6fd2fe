/** The product's logo and name, which link to the charts. */
import { DEFAULT_VIEW } from '../address/view.ts'
import { ViewLink } from '../parts/view-link.tsx'

export function Brand() {
  return (
    <ViewLink to={DEFAULT_VIEW} class="brand">
      <img src="/assets/icon.svg" alt="Deployment annotations" width="24" height="24" />
    </ViewLink>
  )
}
