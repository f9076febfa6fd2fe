/**
 * What tags say, by one rule for every door: `dataset:web`, `service:shop`, `type:release`, `env:production` and `version:1.2.0`, with `:` or
 * `=`, and by the names of OpenTelemetry too. And where a mark goes whose sender names no dataset, or none that is known: it is never refused
 * for want of one.
 */
import { DATASET_NAME_PATTERN, DELETED_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'

/** The line of a description that has the tags of clients of Grafana's API, and of those who write it. */
export const TAGS_LINE = /(?:^|\n\n)Tags: ([^\n]+)$/

const KINDS = ['dataset', 'type', 'service', 'environment', 'version'] as const
type Kind = (typeof KINDS)[number]

/** Flux writes a blank after the colon. The groups stand in the order of the kinds. */
const NAMED_TAG =
  /^(?:(dataset)|(type)|(service)(?:[._]name)?|(env|environment|deployment[._]environment)(?:[._]name)?|(version|service[._]version))[:=]\s*(\S.*)$/is

/** @returns what the tag says; `undefined` for a plain one */
export function readNamedTag(tag: string): { kind: Kind; value: string } | undefined {
  const groups = NAMED_TAG.exec(tag)?.slice(1)
  const kind = KINDS.find((_, at) => groups?.[at] !== undefined)
  return kind && { kind, value: groups?.at(-1) ?? '' }
}

/** @returns what the tags say of this kind, in their order, each once */
export function valuesOf(tags: readonly string[], kind: Kind): string[] {
  return [...new Set(tags.map(readNamedTag).flatMap((named) => (named?.kind === kind ? [named.value] : [])))]
}

/** @returns the plain tags that may be names of datasets */
export function listCandidates(tags: readonly string[]): string[] {
  return tags.filter((tag) => !readNamedTag(tag) && DATASET_NAME_PATTERN.test(tag))
}

/** The dataset of marks that nothing says anything of; it need not exist. */
const DATASET_DEFAULT = 'default'
/** A mark of a token that is limited to more datasets is on the first of them. */
const DATASETS_MAX = 20

interface Choice {
  /** The candidates that are datasets, or have annotations, and that the caller may mark. */
  known: ReadonlySet<string>
  mayMark: (name: string) => boolean
  /** The datasets that the caller is limited to; `undefined` without a limit. */
  limit: readonly string[] | undefined
  /** Where the annotation is already; absent for a new one. */
  before?: readonly string[] | undefined
}

/** @returns where a mark with these tags goes, and what its sender is told where no tag says so */
export function chooseDatasets(tags: readonly string[], choice: Choice): { datasets: string[]; warning?: string } {
  const { known, mayMark, limit, before } = choice
  const isThere = (name: string) => !DELETED_NAME_PATTERN.test(name)
  const plain = listCandidates(tags).filter((name) => known.has(name))
  const named = [...new Set([...valuesOf(tags, 'dataset'), ...plain])].filter(isThere)
  if (named.length > 0) return { datasets: named }
  if (before) return { datasets: before.filter(isThere) }
  const services = valuesOf(tags, 'service').filter((name) => DATASET_NAME_PATTERN.test(name) && mayMark(name))
  if (services.length > 0) return { datasets: services }
  const datasets = limit?.slice(0, DATASETS_MAX) ?? [DATASET_DEFAULT]
  const which = datasets.length > 1 ? 'the datasets' : 'the dataset'
  return { datasets, warning: `no tag names a dataset, as dataset:web does, so it is on ${which} ${datasets.join(', ')}` }
}
