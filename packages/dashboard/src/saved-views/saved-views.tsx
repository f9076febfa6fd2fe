/** The menu that saves the page as a view or makes a public link to it, and what has changed of the view that is open. */
import { useState } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import { DEFAULT_VIEW } from '../address/view.ts'
import { Failure } from '../parts/failure.tsx'
import { later } from '../parts/later.tsx'
import { Menu, MenuButton } from '../parts/menu.tsx'
import { useLoad } from '../parts/use-load.ts'
import { useRefresh } from '../parts/use-refresh.ts'
import { ViewLink } from '../parts/view-link.tsx'
import { savedViewRequests } from '../service/saved-views.ts'
import { may } from '../service/session.ts'
import { SaveChanges, useChange } from './save-changes.tsx'
import type { SaveFormProps } from './save-form.tsx'
import { isAsSaved } from './saved-view.ts'

const laterSave = later(async () => (await import('./save-form.tsx')).SaveForm)
const laterLink = later(async () => (await import('./public-link.tsx')).PublicLink)

/** @param charted the charted datasets */
export function SavedViews({ charted }: Pick<SaveFormProps, 'charted'>) {
  const { savedView, zone } = view.value
  const [version, reload] = useRefresh()
  const [asked, ask] = useState<'save' | 'link'>()
  const mayRead = may('views|read')
  const load = savedView !== '' && mayRead ? (signal: AbortSignal) => savedViewRequests.get(savedView, signal) : undefined
  const { data, error } = useLoad(load, [savedView, version, mayRead], savedView)
  const opened = data?.id === savedView ? data : undefined
  const change = useChange(opened, reload)
  if (!mayRead) return null
  const maySave = may('views|create', charted) || may('views|update', charted)
  return (
    <>
      <Menu
        summary={
          opened ? (
            <>
              View: <strong class="clip">{opened.name}</strong>
              {!isAsSaved(view.value, opened) && <span class="hint">changed</span>}
            </>
          ) : (
            'Saved views'
          )
        }
      >
        <div class="card pick-menu saved-views">
          {maySave && <MenuButton onClick={() => ask('save')}>Save this view…</MenuButton>}
          {may('apiTokens|create') && <MenuButton onClick={() => ask('link')}>Public link…</MenuButton>}
          <ViewLink to={{ ...DEFAULT_VIEW, page: 'views', zone }}>All saved views</ViewLink>
        </div>
      </Menu>
      {opened?.charts.length === 0 && <SaveChanges saved={opened} charted={charted} change={change} />}
      <Failure error={error ?? change.error} />
      {asked === 'save' && <laterSave.View charted={charted} onClose={() => ask(undefined)} />}
      {asked === 'link' && <laterLink.View charted={charted} onClose={() => ask(undefined)} />}
    </>
  )
}
