/** Between a monitor's rule and the texts of its form. Pure. */
import type { MonitorChange, MonitorOperator, NewMonitor } from '@deployment-annotations/contract/monitor'
import { splitNames } from '../parts/split-names.ts'

/** What the inputs hold. */
export interface RuleTexts {
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
}

/** Of the members that few monitors need: what the service takes where they are not sent. */
const DEFAULTS = {
  secondDelay: 0,
  triggerFromNRuns: 1,
  triggerAfterNPositiveResults: 0,
  notifyByGroup: false,
  notifyEveryRun: false,
  skipResolved: false,
} as const
const RARE = Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[]

/** @returns whether one of the members is set that few monitors need */
export function hasRare(texts: RuleTexts): boolean {
  return RARE.some((name) => String(texts[name]) !== String(DEFAULTS[name]))
}

export function textsOf(rule: MonitorChange): RuleTexts {
  return {
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
  }
}

/** @returns what a create sends: what was left empty is left out, so that the service's defaults apply */
export function ruleOf(texts: RuleTexts): NewMonitor {
  const { description, datasets, annotationType, annotationTitle, ...rest } = membersOf(texts)
  const isSaid = (name: string) => !RARE.some((rare) => rare === name && rest[rare] === DEFAULTS[rare])
  return {
    ...(Object.fromEntries(Object.entries(rest).filter(([name]) => isSaid(name))) as typeof rest),
    ...(description !== '' && { description }),
    ...(datasets.length > 0 && { datasets }),
    ...(annotationType !== '' && { annotationType }),
    ...(annotationTitle !== '' && { annotationTitle }),
  }
}

/** @returns what a change sends: only what was edited, so that it does not undo another person's change */
export function changeOf(before: RuleTexts, texts: RuleTexts): MonitorChange {
  const members = Object.entries(membersOf(texts))
  return Object.fromEntries(members.filter(([name]) => texts[name as keyof RuleTexts] !== before[name as keyof RuleTexts]))
}

function membersOf(texts: RuleTexts) {
  return {
    ...texts,
    threshold: Number(texts.threshold),
    intervalMinutes: Number(texts.intervalMinutes),
    rangeMinutes: Number(texts.rangeMinutes),
    datasets: splitNames(texts.datasets),
    secondDelay: Number(texts.secondDelay),
    triggerFromNRuns: Number(texts.triggerFromNRuns),
    triggerAfterNPositiveResults: Number(texts.triggerAfterNPositiveResults),
  }
}
