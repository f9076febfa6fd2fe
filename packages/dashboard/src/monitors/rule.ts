/** Converts between a monitor's rule and the texts of its form. Pure. */
import { MONITOR_TYPE_DEFAULT, type MonitorOperator } from '@deployment-annotations/contract/monitor'
import type { Monitor, MonitorChange, NewMonitor } from '@deployment-annotations/contract/schemas/monitor'
import { fromInputText, toInputText } from '../annotations/draft.ts'
import { splitNames } from '../parts/split-names.ts'

export interface RuleTexts {
  type: Monitor['type']
  name: string
  description: string
  aplQuery: string
  operator: MonitorOperator
  threshold: string
  intervalMinutes: string
  rangeMinutes: string
  alertOnNoData: boolean
  /** Separated by commas. */
  datasets: string
  annotationType: string
  annotationTitle: string
  secondDelay: string
  triggerFromNRuns: string
  triggerAfterNPositiveResults: string
  notifyByGroup: boolean
  notifyEveryRun: boolean
  skipResolved: boolean
  columnName: string
  /** In the form of `<input type="datetime-local">`; empty if the monitor is not disabled until a time. */
  disabledUntil: string
  /** The form has no field for it; it is sent when the whole monitor is sent. */
  disabled: boolean
}

/** The service's defaults of the members that few monitors need. */
const DEFAULTS = {
  secondDelay: 0,
  triggerFromNRuns: 1,
  triggerAfterNPositiveResults: 0,
  notifyByGroup: false,
  notifyEveryRun: false,
  skipResolved: false,
  columnName: '',
  disabledUntil: '',
  disabled: false,
} as const
/** Monitors that annotate events do not have these members. */
const OF_THRESHOLD = ['operator', 'threshold', 'alertOnNoData', 'columnName', 'notifyByGroup'] as const
/** This time unsets a time. */
const NO_TIME = '0001-01-01T00:00:00Z'
const RARE = Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[]

/** @returns whether one of the members is set that few monitors need */
export function hasRare(texts: RuleTexts): boolean {
  return RARE.some((name) => String(texts[name]) !== String(DEFAULTS[name]))
}

/** @param zone whether times are typed in UTC, and not in the browser's zone */
export function textsOf(rule: MonitorChange, zone = ''): RuleTexts {
  return {
    type: rule.type ?? MONITOR_TYPE_DEFAULT,
    name: rule.name ?? '',
    description: rule.description ?? '',
    aplQuery: rule.aplQuery ?? '',
    operator: rule.operator ?? 'Above',
    threshold: String(rule.threshold ?? ''),
    intervalMinutes: String(rule.intervalMinutes ?? 5),
    rangeMinutes: String(rule.rangeMinutes ?? 5),
    alertOnNoData: rule.alertOnNoData ?? false,
    datasets: rule.datasets?.join(', ') ?? '',
    annotationType: rule.annotationType ?? '',
    annotationTitle: rule.annotationTitle ?? '',
    secondDelay: String(rule.secondDelay ?? DEFAULTS.secondDelay),
    triggerFromNRuns: String(rule.triggerFromNRuns ?? DEFAULTS.triggerFromNRuns),
    triggerAfterNPositiveResults: String(rule.triggerAfterNPositiveResults ?? DEFAULTS.triggerAfterNPositiveResults),
    notifyByGroup: rule.notifyByGroup ?? DEFAULTS.notifyByGroup,
    notifyEveryRun: rule.notifyEveryRun ?? DEFAULTS.notifyEveryRun,
    skipResolved: rule.skipResolved ?? DEFAULTS.skipResolved,
    columnName: rule.columnName ?? DEFAULTS.columnName,
    disabledUntil: rule.disabledUntil === undefined ? '' : toInputText(Date.parse(rule.disabledUntil), zone),
    disabled: rule.disabled ?? DEFAULTS.disabled,
  }
}

/** @returns the members of a new monitor without those left empty, for which the service has defaults */
export function ruleOf(texts: RuleTexts, zone = ''): NewMonitor {
  const { description, datasets, annotationType, annotationTitle, type, ...rest } = membersOf(texts, zone)
  const isDefault = (name: string) => RARE.some((rare) => rare === name && String(texts[rare]) === String(DEFAULTS[rare]))
  const isOfOther = (name: string) => type === 'MatchEvent' && OF_THRESHOLD.some((other) => other === name)
  const said = Object.entries(rest).filter(([name]) => !isDefault(name) && !isOfOther(name))
  return {
    ...(Object.fromEntries(said) as typeof rest),
    ...(type !== MONITOR_TYPE_DEFAULT && { type }),
    ...(description !== '' && { description }),
    ...(datasets.length > 0 && { datasets }),
    ...(annotationType !== '' && { annotationType }),
    ...(annotationTitle !== '' && { annotationTitle }),
  }
}

/** @returns only the members that were edited, so that another person's change is not undone */
export function changeOf(before: RuleTexts, texts: RuleTexts, zone = ''): MonitorChange {
  const { description, annotationTitle, type } = texts
  // A change of type sends the whole monitor: only that removes the members of the other type, or a column.
  const isWhole = type !== before.type || (texts.columnName === '' && before.columnName !== '')
  if (isWhole) return { ...ruleOf(texts, zone), description, annotationTitle, type }
  const members = Object.entries(membersOf(texts, zone))
  return Object.fromEntries(members.filter(([name]) => texts[name as keyof RuleTexts] !== before[name as keyof RuleTexts]))
}

function membersOf(texts: RuleTexts, zone: string) {
  return {
    ...texts,
    threshold: Number(texts.threshold),
    intervalMinutes: Number(texts.intervalMinutes),
    rangeMinutes: Number(texts.rangeMinutes),
    datasets: splitNames(texts.datasets),
    disabledUntil: fromInputText(texts.disabledUntil, zone) ?? NO_TIME,
    secondDelay: Number(texts.secondDelay),
    triggerFromNRuns: Number(texts.triggerFromNRuns),
    triggerAfterNPositiveResults: Number(texts.triggerAfterNPositiveResults),
  }
}
