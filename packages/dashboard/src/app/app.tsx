/** The page around the views: it signs people in and shows the current view. */
import { useEffect } from 'preact/hooks'
import { forgetViews, navigate, view } from '../address/navigation.ts'
import { DEFAULT_VIEW, placeOf } from '../address/view.ts'
import { Failure } from '../parts/failure.tsx'
import { useLoad } from '../parts/use-load.ts'
import { useRefresh } from '../parts/use-refresh.ts'
import { unfinished } from '../query/written-call.ts'
import { signOut, token, user } from '../service/session.ts'
import { readUser } from '../service/user.ts'
import { SETTINGS, SHOWN } from './pages.ts'
import { SignIn } from './sign-in.tsx'
import { SettingsLinks, TopBar } from './top-bar.tsx'

export function App() {
  const place = placeOf(view.value)
  const { title, View } = SHOWN[place]
  const isSetting = SETTINGS.some((name) => name === place)
  useEffect(() => {
    document.title = `${title} · Annotations`
  }, [title])
  // After a reload only the token is there.
  const [version, load] = useRefresh()
  const read = async () => {
    const asked = token.value
    const owner = await readUser()
    if (asked === token.value) user.value = owner
  }
  const { error } = useLoad(token.value === undefined || user.value ? undefined : read, [token.value, version])

  if (token.value === undefined) return <SignIn />
  return (
    <>
      <TopBar onLeave={leave} />
      <div class={isSetting ? 'with-settings' : undefined}>
        {isSetting && <SettingsLinks />}
        <main id="main" tabIndex={-1}>
          {!user.value && <Failure error={error} onRetry={load} />}
          <Shown View={View} />
        </main>
      </div>
    </>
  )
}

/**
 * A view as the only thing that is returned: what stands among the children of an element is kept with the first tree that was made of
 * it, and with all later ones that this leads to, for as long as the element is not made anew.
 */
function Shown({ View }: Pick<(typeof SHOWN)[keyof typeof SHOWN], 'View'>) {
  return <View />
}

/** Forgets the views, so that the next person does not see them. A session that ended by itself is resumed where it was. */
function leave(): void {
  signOut()
  navigate(DEFAULT_VIEW, true)
  forgetViews()
  unfinished.keep('', '')
}
