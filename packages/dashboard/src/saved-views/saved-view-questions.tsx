/** The dialogs that rename and delete a saved view. */
import { navigate, view } from '../address/navigation.ts'
import { Confirm } from '../parts/confirm.tsx'
import { type SavedView, savedViewRequests } from '../service/saved-views.ts'
import { NameForm } from './name-form.tsx'

interface QuestionProps {
  saved: SavedView
  onClose: () => void
  onDone: () => void
}

export function RenameView({ saved, onClose, onDone }: QuestionProps) {
  const rename = async (name: string) => {
    await savedViewRequests.change(saved.id, { name })
    onDone()
  }
  return <NameForm title="Rename the saved view" name={saved.name} onClose={onClose} task={rename} />
}

export function DeleteView({ saved, onClose, onDone }: QuestionProps) {
  const remove = async () => {
    await savedViewRequests.remove(saved.id)
    if (view.value.savedView === saved.id) navigate({ savedView: '' }, true)
    onDone()
  }
  return (
    <Confirm title="Delete the saved view?" action="Delete" onClose={onClose} task={remove}>
      <p>
        <strong class="clip">{saved.name}</strong> goes away for everybody. What is on the page stays.
      </p>
    </Confirm>
  )
}
