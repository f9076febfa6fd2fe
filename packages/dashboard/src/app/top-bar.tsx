/** The bar above every page: the links to the pages, the help, and the menu of the user. On a phone the links are a menu. */
import { lastView, view } from '../address/navigation.ts'
import { DEFAULT_VIEW, type Place, placeOf } from '../address/view.ts'
import { Menu, MenuButton } from '../parts/menu.tsx'
import { useMedia } from '../parts/use-media.ts'
import { ViewLink } from '../parts/view-link.tsx'
import { leaveTab, linkToken, user } from '../service/session.ts'
import { isOffered, MAIN, SETTINGS, SHOWN } from './pages.ts'

const PHONE = '(max-width: 43.7rem)'

export function TopBar({ onLeave }: { onLeave: () => void }) {
  const place = placeOf(view.value)
  const isPhone = useMedia(PHONE)
  return (
    <header class="top">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <ViewLink to={DEFAULT_VIEW} class="brand">
        <img src="/assets/icon.svg" alt="Deployment annotations" width="24" height="24" />
      </ViewLink>
      <nav aria-label="Pages">
        {isPhone ? (
          <Menu summary={SHOWN[place].title}>
            <div class="card">
              <PageLinks />
            </div>
          </Menu>
        ) : (
          <PageLinks />
        )}
      </nav>
      <a class="push" href={`/help/${SHOWN[place].help ?? 'dashboard'}`} target="_blank" rel="noopener">
        Help
      </a>
      {linkToken.value !== undefined && (
        <button type="button" title="The link that you opened has another token" onClick={() => leaveTab('', linkToken.value)}>
          Use the token of the link
        </button>
      )}
      <Menu
        summary={
          <span class="clip">
            <span class="visually-hidden">Token: </span>
            {user.value?.name}
          </span>
        }
      >
        <div class="card">
          <MenuButton onClick={onLeave}>Sign out</MenuButton>
        </div>
      </Menu>
    </header>
  )
}

function PageLinks() {
  const settings = offered(SETTINGS)
  const open = settings.find((name) => name === placeOf(view.value)) ?? settings[0]
  return (
    <>
      {offered(MAIN).map((name) => (
        <PageLink key={name} to={name} />
      ))}
      {open && <PageLink to={open} title="Settings" />}
    </>
  )
}

/** The pages of the settings, beside each of them. */
export function SettingsLinks() {
  return (
    <nav class="settings-nav" aria-label="Settings">
      {offered(SETTINGS).map((name) => (
        <PageLink key={name} to={name} />
      ))}
    </nav>
  )
}

/** The page that is open is among them, whatever the token may. */
function offered<Name extends Place>(names: readonly Name[]): Name[] {
  return names.filter((name) => name === view.value.page || isOffered(SHOWN[name]))
}

function PageLink({ to, title = SHOWN[to].title }: { to: Place; title?: string }) {
  const isHere = to === placeOf(view.value)
  return (
    <ViewLink
      to={isHere ? view.value : lastView(to)}
      stays
      aria-current={isHere ? 'page' : undefined}
      onPointerEnter={SHOWN[to].prefetch}
      onFocus={SHOWN[to].prefetch}
    >
      {title}
    </ViewLink>
  )
}
