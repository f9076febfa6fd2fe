/** The dialogs of the menu of saved views: a name for a new one, the one that a chart is added to, or a public link. */
import type { RefObject } from 'preact'
import { view } from '../address/navigation.ts'
import { type SavedView, savedViewRequests } from '../service/saved-views.ts'
import { AddToView } from './add-to-view.tsx'
import { keepShown } from './keep-shown.ts'
import { NameForm } from './name-form.tsx'
import { PublicLink } from './public-link.tsx'
import { toSaved } from './saved-view.ts'

const NONE: readonly SavedView[] = []

export type Asked = 'save' | 'add' | 'link'

interface QuestionProps {
  asked: Asked
  list: readonly SavedView[] | undefined
  /** The charted datasets. */
  charted: readonly string[]
  /** The version that the changes of this person start from. */
  start: RefObject<SavedView | undefined>
  close: () => void
  reload: () => void
}

export function Question({ asked, list = NONE, charted, start, close, reload }: QuestionProps) {
  if (asked === 'link') return <PublicLink charted={charted} onClose={close} />
  if (asked === 'add') return <AddToView list={list} charted={charted} onClose={close} />
  const save = async (name: string) => {
    keepShown(start, await savedViewRequests.create({ name, ...toSaved(view.value, charted) }))
    close()
    reload()
  }
  return <NameForm title="Save this view" name="" onClose={close} task={save} />
}
