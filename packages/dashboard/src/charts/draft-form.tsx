/** The form of a new or changed annotation on a page of charts. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import type { Draft } from '../annotations/draft.ts'
import { select } from '../annotations/select.ts'
import { laterForm } from './later-parts.ts'

interface DraftFormProps {
  draft: Draft | undefined
  /** The datasets that are offered. */
  datasets: readonly string[]
  /** The annotations whose types are offered. */
  known: readonly Annotation[]
  onClose: () => void
  onChanged: () => void
}

/** When the annotation is saved, its panel is open. */
export function DraftForm({ draft, datasets, known, onClose, onChanged }: DraftFormProps) {
  if (!draft) return null
  const saved = ({ id }: Annotation) => {
    onClose()
    onChanged()
    select([id])
  }
  const types = [...new Set(known.map(({ type }) => type))]
  return <laterForm.View draft={draft} datasets={datasets} types={types} onClose={onClose} onSaved={saved} />
}
