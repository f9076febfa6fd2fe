/**
 * A notice on its way to a receiver, whatever the form is that the receiver takes. Pure.
 */

import type { Annotation } from '@deployment-annotations/contract/annotation'
import type { NotifierEvent } from '@deployment-annotations/contract/notifier'

/** One thing to tell. */
export interface NotifierNotice {
  event: NotifierEvent | 'test'
  /** `closed`: what was told before is over. */
  action: 'open' | 'closed'
  /** RFC 3339. */
  time: string
  title: string
  /** Markdown. */
  text: string
  annotation?: Annotation
  monitor?: NoticedMonitor
}

interface NoticedMonitor {
  id: string
  name: string
  description?: string
  value?: number
  group?: string
}

export interface Message {
  /** The same over all tries. */
  id: string
  /** Of this try, in milliseconds since the epoch. */
  atMs: number
  notice: NotifierNotice
  /** Where people read more: the page, and what the annotation names. */
  links: readonly { text: string; url: string }[]
}

/** @returns the facts below the title */
export function factsOf({ annotation, monitor }: NotifierNotice): { name: string; value: string }[] {
  return [
    { name: 'Datasets', value: annotation?.datasets.join(', ') },
    { name: 'Type', value: annotation?.type },
    { name: 'Value', value: monitor?.value?.toString() },
    { name: 'Time', value: annotation?.time },
  ].flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }]))
}
