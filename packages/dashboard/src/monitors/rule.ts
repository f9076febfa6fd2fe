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
  }
}

/** @returns what a create sends: what was left empty is left out, so that the service's defaults apply */
export function ruleOf(texts: RuleTexts): NewMonitor {
  const { description, datasets, annotationType, annotationTitle, ...rest } = membersOf(texts)
  return {
    ...rest,
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
  }
}
