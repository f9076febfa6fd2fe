/** The fields of a monitor's form. Pure. */
import { TITLE_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import {
  ANNOTATION_TYPE_DEFAULT,
  MONITOR_DELAY_SECONDS_MAX,
  MONITOR_DESCRIPTION_POINTS_MAX,
  MONITOR_MINUTES_MAX,
  MONITOR_NAME_POINTS_MAX,
  MONITOR_OPERATOR_WORDS,
  MONITOR_OPERATORS,
  MONITOR_QUERY_POINTS_MAX,
  MONITOR_RUNS_MAX,
  MONITOR_TYPE_DEFAULT,
} from '@deployment-annotations/contract/monitor'
import type { FieldOf, FormOf, FormState } from '../resources/fields.ts'

const TYPES = [
  ['Threshold', 'Compare a value with a threshold'],
  ['MatchEvent', 'Mark every event that it finds'],
] as const

/** Whether it compares a value: monitors that mark events have no members of that. */
const isShown = ({ texts }: FormState) => texts.type === 'Threshold'
const MINUTES = { kind: 'number', required: true, min: 1, max: MONITOR_MINUTES_MAX, initial: '5', isHalf: true } as const
const RUNS = { kind: 'number', required: true, min: 0, max: MONITOR_RUNS_MAX, isHalf: true, isRare: true, isShown } as const
const DELAY = { kind: 'number', required: true, min: 0, max: MONITOR_DELAY_SECONDS_MAX, initial: '0', isRare: true } as const
const RARE_SWITCH = { kind: 'switch', isRare: true, isShown } as const

const FIELDS: readonly FieldOf[] = [
  { name: 'name', label: 'Name', required: true, maxLength: MONITOR_NAME_POINTS_MAX },
  { name: 'type', label: 'What it does', kind: 'choice', options: TYPES, initial: MONITOR_TYPE_DEFAULT },
  {
    name: 'aplQuery',
    label: 'Query',
    kind: 'query',
    required: true,
    maxLength: MONITOR_QUERY_POINTS_MAX,
    placeholder: "['web'] | where status >= 500 | summarize count()",
    hint: 'A threshold is compared with the last numeric column, in its most extreme row; for a query that returns events, with their number.',
  },
  {
    name: 'operator',
    label: 'Triggers when the value is',
    kind: 'choice',
    options: MONITOR_OPERATORS.map((operator) => [operator, MONITOR_OPERATOR_WORDS[operator]]),
    initial: 'Above',
    isHalf: true,
    isShown,
  },
  { name: 'threshold', label: 'Threshold', kind: 'number', step: 'any', required: true, isHalf: true, isShown },
  { name: 'intervalMinutes', label: 'Runs every … minutes', ...MINUTES },
  { name: 'rangeMinutes', label: 'Over the last … minutes', ...MINUTES },
  { name: 'alertOnNoData', label: 'Also triggers when there is no data', kind: 'switch', isShown },
  { name: 'datasets', label: 'Datasets to mark', kind: 'datasets', hint: 'Without any, a new one marks those of its query.' },
  { name: 'annotationType', label: 'Type of its annotations', kind: 'type', placeholder: ANNOTATION_TYPE_DEFAULT },
  { name: 'annotationTitle', label: 'Title of its annotations', maxLength: TITLE_POINTS_MAX, placeholder: 'its name' },
  { name: 'description', label: 'Description', maxLength: MONITOR_DESCRIPTION_POINTS_MAX },
  { name: 'triggerAfterNPositiveResults', label: 'Triggers after … such runs, 0 for all', initial: '0', ...RUNS },
  { name: 'triggerFromNRuns', label: 'Of how many runs', initial: '1', ...RUNS },
  { name: 'columnName', label: 'Compares the column', placeholder: 'the last one of numbers', isRare: true, isShown },
  {
    name: 'disabledUntil',
    label: 'Does not run before',
    kind: 'time',
    hint: 'Then it runs again by itself. Empty, it runs now.',
    isRare: true,
  },
  { name: 'secondDelay', label: 'Waits … seconds for events that arrive late', ...DELAY },
  { name: 'notifyByGroup', label: 'Marks each group by itself', ...RARE_SWITCH },
  { name: 'notifyEveryRun', label: 'Every run that triggers creates an annotation of its own', ...RARE_SWITCH },
  { name: 'skipResolved', label: 'Does not mark the recovery: its annotations have no end', ...RARE_SWITCH },
  { name: 'disabled', label: 'Does not run: disabled', kind: 'switch', isRare: true },
]

export const MONITOR_FORM: FormOf = {
  fields: FIELDS,
  // Only a whole monitor removes the members of the other type, or a column.
  isWhole: (before, texts) => texts.type !== before.type || (texts.columnName === '' && before.columnName !== ''),
}
