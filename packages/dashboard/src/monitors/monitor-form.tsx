/** The form that creates or changes a monitor. An error in the query is shown beside the query. */
import { MONITOR_DESCRIPTION_POINTS_MAX } from '@deployment-annotations/contract/monitor'
import type { Monitor, MonitorChange } from '@deployment-annotations/contract/schemas/monitor'
import { useRef, useState } from 'preact/hooks'
import { view } from '../address/navigation.ts'
import { Field } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { checkDatasetNames } from '../parts/plain-words.ts'
import { splitNames } from '../parts/split-names.ts'
import { useLoad } from '../parts/use-load.ts'
import { findErrorPlace } from '../query/error-place.ts'
import { QueryError } from '../query/query-error.tsx'
import { datasetRequests } from '../service/datasets.ts'
import { monitorRequests } from '../service/monitors.ts'
import { AnswerError } from '../service/request.ts'
import { may } from '../service/session.ts'
import { AnnotationFields, fieldOf, NameAndQuery, RareFields, RuleFields } from './monitor-fields.tsx'
import { Preview } from './preview.tsx'
import { changeOf, type RuleTexts, ruleOf, textsOf } from './rule.ts'

interface MonitorFormProps {
  /** An existing monitor, or the defaults of a new one. */
  draft: MonitorChange | Monitor
  onClose: () => void
  onSaved: () => void
}

export function MonitorForm({ draft, onClose, onSaved }: MonitorFormProps) {
  const id = 'id' in draft ? draft.id : undefined
  const [before] = useState(() => textsOf(draft, view.value.zone))
  const [texts, setTexts] = useState(before)
  const [sentQuery, setSentQuery] = useState('')
  const { data } = useLoad(may('datasets|read') ? datasetRequests.list : undefined, [])
  const names = data?.map(({ name }) => name) ?? splitNames(before.datasets)
  const query = useRef<HTMLTextAreaElement>(null)
  const goTo = (offset: number) => {
    query.current?.focus()
    query.current?.setSelectionRange(offset, offset)
  }
  const save = async () => {
    setSentQuery(texts.aplQuery)
    const chosen = splitNames(texts.datasets)
    if (id !== undefined && chosen.length === 0) throw new Error('Choose at least one dataset to mark.')
    checkDatasetNames(chosen)
    try {
      await (id === undefined
        ? monitorRequests.create(ruleOf(texts, view.value.zone))
        : monitorRequests.change(id, changeOf(before, texts, view.value.zone)))
    } catch (failure) {
      // The error is shown beside the query, which may be out of sight of the button.
      if (failure instanceof AnswerError && failure.detail) goTo(findErrorPlace(texts.aplQuery, failure.detail)?.offset ?? 0)
      throw failure
    }
    onSaved()
  }
  const fields = { texts, isNew: id === undefined, onChange: (change: Partial<RuleTexts>) => setTexts({ ...texts, ...change }) }
  return (
    <FormDialog
      title={id === undefined ? 'New monitor' : 'Change the monitor'}
      className="monitor-form"
      action={id === undefined ? 'Create' : 'Save'}
      task={save}
      onClose={onClose}
    >
      {(error) => (
        <>
          <NameAndQuery {...fields} query={query} />
          <QueryError error={error} text={sentQuery} onGo={goTo} onMend={(aplQuery) => fields.onChange({ aplQuery })} />
          <RuleFields {...fields} />
          <Preview texts={texts} />
          <RareFields {...fields} />
          <AnnotationFields {...fields} datasets={names} />
          <Field {...fieldOf(fields, 'description')} label="Description" maxLength={MONITOR_DESCRIPTION_POINTS_MAX} />
        </>
      )}
    </FormDialog>
  )
}
