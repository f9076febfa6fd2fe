/** The bar above every page: the links to the pages, which become a menu on a narrow window, the user's name, and signing out. */
import { lastView, view } from '../address/navigation.ts'
import { PAGES, type Page } from '../address/view.ts'
import { Menu } from '../parts/menu.tsx'
import { useMedia } from '../parts/use-media.ts'
import { ViewLink } from '../parts/view-link.tsx'
import { leaveTab, linkToken, user } from '../service/session.ts'
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
      {linkToken.value !== undefined && (
        <button type="button" title="The link that you opened has another token" onClick={() => leaveTab(linkToken.value)}>
          Use the token of the link
        </button>
      )}
      <button type="button" class="quiet" onClick={onLeave}>
        Sign out
      </button>
    </header>
  )
}

function PageLinks({ page }: { page: Page }) {
  const { zone } = view.value
  return (
    <>
      {PAGES.filter((name) => name === page || isOffered(SHOWN[name])).map((name) => (
        <ViewLink
          key={name}
          to={name === page ? view.value : { ...lastView(name), zone }}
          stays
          aria-current={name === page ? 'page' : undefined}
          onPointerEnter={SHOWN[name].prefetch}
          onFocus={SHOWN[name].prefetch}
        >
          {SHOWN[name].title}
        </ViewLink>
      ))}
    </>
  )
}
