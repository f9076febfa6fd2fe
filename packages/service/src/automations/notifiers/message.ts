/**
 * A notice on its way to a receiver, and its words in each form that receivers take. Pure.
 */
import { createHmac } from 'node:crypto'
import type { NotifierNotice } from '../../annotations/notices.ts'

export interface Message {
  /** The same over all tries. */
  id: string
  /** Of this try, in milliseconds since the epoch. */
  atMs: number
  notice: NotifierNotice
  /** Where people read more: the page, and what the annotation names. */
  links: readonly { text: string; url: string }[]
}

/** @returns the facts below the title, as `name: value` */
export function factsOf({ annotation, monitor }: NotifierNotice): [name: string, value: string][] {
  return [
    ...(annotation ? ([['Datasets', annotation.datasets.join(', ')]] as [string, string][]) : []),
    ...(annotation ? ([['Type', annotation.type]] as [string, string][]) : []),
    ...(monitor?.value === undefined ? [] : ([['Value', String(monitor.value)]] as [string, string][])),
    ...(annotation ? ([['Time', annotation.time]] as [string, string][]) : []),
  ]
}

/** What `webhook` sends: the form of Standard Webhooks, with the members that receivers of the hosted service read beside it. */
export function toJson({ id, atMs, notice, links }: Message): string {
  const { event, action, title, text, time, annotation, monitor } = notice
  return JSON.stringify({
    type: event,
    timestamp: new Date(atMs).toISOString(),
    data: { id, action, title, text, time, links, ...(annotation && { annotation }), ...(monitor && { monitor }) },
    action: action === 'open' ? 'Open' : 'Closed',
    event: {
      monitorID: monitor?.id ?? '',
      title,
      body: text,
      description: monitor?.description ?? '',
      timestamp: time,
      queryStartTime: time,
      queryEndTime: time,
      value: monitor?.value ?? null,
    },
  })
}

/** @returns the headers of Standard Webhooks; a receiver knows a repeat by the id */
export function sign({ id, atMs }: Message, body: string, secret: string): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1_000))
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
