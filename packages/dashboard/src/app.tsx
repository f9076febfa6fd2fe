/** The page around the views: who is signed in, where one can go, and the view of now. */
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { Explore } from './explore/explore.tsx'
import { Monitors } from './monitors/monitors.tsx'
import { Failure } from './parts/failure.tsx'
import { describeError } from './service/request.ts'
import { readUser } from './service/user.ts'
import { farewell, signOut, token, user } from './session.ts'
import { SignIn } from './sign-in.tsx'
import { Tokens } from './tokens/tokens.tsx'
import { navigate, view } from './view/navigation.ts'
import { DEFAULT_VIEW, formatView, PAGES, type Page } from './view/view.ts'

const TITLES: Readonly<Record<Page, string>> = { explore: 'Explore', monitors: 'Monitors', tokens: 'Tokens' }
const VIEWS: Readonly<Record<Page, () => JSX.Element>> = { explore: Explore, monitors: Monitors, tokens: Tokens }

export function App() {
  const { page } = view.value
  useEffect(() => {
    document.title = `${TITLES[page]} · Annotations`
  }, [page])
  // After a reload the token is there, and who it belongs to is not.
  useEffect(() => {
    if (token.value !== undefined && !user.value) askWho()
  }, [token.value])

  if (token.value === undefined) return <SignIn />
  const View = VIEWS[page]
  return (
    <>
      <header class="top">
        <a class="skip" href="#main">
          Skip to the content
        </a>
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
        {!user.value && <Failure error={farewell.value} onRetry={askWho} />}
        <View />
      </main>
    </>
  )
}

function askWho(): void {
  farewell.value = ''
  const asked = token.value
  readUser().then(
    (who) => {
      if (token.value === asked) user.value = who
    },
    (error: unknown) => {
      if (token.value === asked) farewell.value = describeError(error)
    },
  )
}

/** Whoever comes next is not shown what was looked at; somebody who has to sign in again comes back to it. */
function leave(): void {
  signOut()
  navigate(DEFAULT_VIEW, true)
}

function PageLink({ page, isCurrent }: { page: Page; isCurrent: boolean }) {
  return (
    <a
      href={formatView({ ...DEFAULT_VIEW, page })}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        if (!isCurrent) navigate({ ...DEFAULT_VIEW, page, utc: view.value.utc })
      }}
    >
      {TITLES[page]}
    </a>
  )
}
