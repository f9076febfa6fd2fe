/** The bar above every page: the links to the pages, which become a menu on a narrow window, the user's name, and signing out. */
import { lastView, navigate, view } from '../address/navigation.ts'
import { formatView, PAGES, type Page } from '../address/view.ts'
import { closeMenu, Menu } from '../parts/menu.tsx'
import { useMedia } from '../parts/use-media.ts'
import { user } from '../service/session.ts'
import { Brand } from './brand.tsx'
import { isOffered, SHOWN } from './pages.ts'

/** The links of all pages do not fit in a narrower window. */
const NARROW = '(max-width: 70rem)'

export function TopBar({ onLeave }: { onLeave: () => void }) {
  const { page } = view.value
  const isNarrow = useMedia(NARROW)
  return (
    <header class="top">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Brand />
      <nav aria-label="Pages">
        {isNarrow ? (
          <Menu
            summary={
              <>
                <span aria-hidden="true">☰</span> {SHOWN[page].title}
              </>
            }
          >
            <div class="card page-links">
              <PageLinks page={page} />
            </div>
          </Menu>
        ) : (
          <PageLinks page={page} />
        )}
      </nav>
      <a class="help-link" href={`/help/${SHOWN[page].help}`} target="_blank" rel="noopener">
        Help
      </a>
      {user.value && <span class="who">Token: {user.value.name}</span>}
      <button type="button" class="quiet" onClick={onLeave}>
        Sign out
      </button>
    </header>
  )
}

function PageLinks({ page }: { page: Page }) {
  return (
    <>
      {PAGES.filter((name) => name === page || isOffered(SHOWN[name])).map((name) => (
        <PageLink key={name} page={name} isCurrent={name === page} />
      ))}
    </>
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
        closeMenu(event.currentTarget)
        if (!isCurrent) navigate({ ...to, zone: view.value.zone })
      }}
    >
      {title}
    </a>
  )
}
