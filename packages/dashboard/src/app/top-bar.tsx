/** The bar above every page: the links to the pages, who is signed in, and the way out. */
import { user } from '../service/session.ts'
import { lastView, navigate, view } from '../view/navigation.ts'
import { formatView, PAGES, type Page } from '../view/view.ts'
import { SHOWN } from './pages.ts'

export function TopBar({ onLeave }: { onLeave: () => void }) {
  const { page } = view.value
  return (
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
      <button type="button" class="quiet" onClick={onLeave}>
        Sign out
      </button>
    </header>
  )
}

function PageLink({ page, isCurrent }: { page: Page; isCurrent: boolean }) {
  const to = isCurrent ? view.value : lastView(page)
  const { title, prefetch } = SHOWN[page]
  return (
    <a
      href={formatView(to)}
      aria-current={isCurrent ? 'page' : undefined}
      onPointerEnter={prefetch}
      onFocus={prefetch}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        if (!isCurrent) navigate({ ...to, utc: view.value.utc })
      }}
    >
      {title}
    </a>
  )
}
