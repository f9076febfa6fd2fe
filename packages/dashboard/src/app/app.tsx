/** The page around the views: who is signed in, the links to the pages, and the current view. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { AllAnnotations } from '../all-annotations/all-annotations.tsx'
import { Datasets } from '../datasets/datasets.tsx'
import { Explore } from '../explore/explore.tsx'
import { Monitors } from '../monitors/monitors.tsx'
import { Failure } from '../parts/failure.tsx'
import { ViewLink } from '../parts/view-link.tsx'
import { forgetQueries } from '../query/recent-queries.ts'
import { unfinished } from '../query/unfinished.ts'
import { describeError } from '../service/request.ts'
import { signOut, token, user } from '../service/session.ts'
import { readUser } from '../service/user.ts'
import { Tokens } from '../tokens/tokens.tsx'
import { forgetViews, lastView, navigate, view } from '../view/navigation.ts'
import { DEFAULT_VIEW, formatView, PAGES, type Page } from '../view/view.ts'
import { Brand } from './brand.tsx'
import { SignIn } from './sign-in.tsx'

const TITLES: Readonly<Record<Page, string>> = {
  explore: 'Explore',
  annotations: 'Annotations',
  monitors: 'Monitors',
  datasets: 'Datasets',
  tokens: 'Tokens',
  nowhere: 'Nothing here',
}
const VIEWS: Readonly<Record<Page, () => JSX.Element>> = {
  explore: Explore,
  annotations: AllAnnotations,
  monitors: Monitors,
  datasets: Datasets,
  tokens: Tokens,
  nowhere: Nowhere,
}

export function App() {
  const { page } = view.value
  useEffect(() => {
    document.title = `${TITLES[page]} · Annotations`
  }, [page])
  const { error, load } = useUser()

  if (token.value === undefined) return <SignIn />
  const View = VIEWS[page]
  return (
    <>
      <header class="top">
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <Brand />
        <nav aria-label="Pages">
          {PAGES.map((name) => (
            <PageLink key={name} page={name} isCurrent={name === page} />
          ))}
        </nav>
        <span class="who">{user.value?.name}</span>
        <button type="button" class="quiet" onClick={leave}>
          Sign out
        </button>
      </header>
      <main id="main" tabIndex={-1}>
        {!user.value && <Failure error={error} onRetry={load} />}
        <View />
      </main>
    </>
  )
}

function Nowhere() {
  return (
    <>
      <h1>There is nothing here</h1>
      <p>
        No page of this service has the address <code class="clip">{location.pathname}</code>.{' '}
        <ViewLink to={DEFAULT_VIEW}>Go to the charts</ViewLink>
      </p>
    </>
  )
}

/** Asks who the token belongs to where that is not known: after a reload only the token is there. */
function useUser(): { error: string; load: () => void } {
  const [error, setError] = useState('')
  const load = () => {
    setError('')
    const asked = token.value
    readUser().then(
      (owner) => {
        if (token.value === asked) user.value = owner
      },
      (failure: unknown) => {
        if (token.value === asked) setError(describeError(failure))
      },
    )
  }
  useEffect(() => {
    if (token.value !== undefined && !user.value) load()
  }, [token.value])
  return { error, load }
}

/** The next person to sign in is not shown what was looked at; a session that ended by itself is resumed where it was. */
function leave(): void {
  signOut()
  navigate(DEFAULT_VIEW, true)
  forgetViews()
  unfinished.keep('', '')
  forgetQueries()
}

function PageLink({ page, isCurrent }: { page: Page; isCurrent: boolean }) {
  const to = isCurrent ? view.value : lastView(page)
  return (
    <a
      href={formatView(to)}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        if (!isCurrent) navigate({ ...to, utc: view.value.utc })
      }}
    >
      {TITLES[page]}
    </a>
  )
}
