/**
 * Requests of the service's tests, over a real socket, and what came back.
 */

import type { Annotation } from '@deployment-annotations/contract/annotation'
import type { ErrorBody } from '@deployment-annotations/contract/error-body'
import { withAllMembers } from '@deployment-annotations/contract/header'
import type { Permission } from '@deployment-annotations/contract/permission'
import type { RunningService } from '../../../__tests__/support/service.ts'

export interface Answer<Body = unknown> {
  status: number
  headers: Headers
  /** Parsed where it is JSON, otherwise its text. */
  body: Body
}

export interface Question {
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown
  /** `null` sends none. */
  token?: string | null
  headers?: Record<string, string>
}

type Target = Pick<RunningService, 'url' | 'token'>

export async function ask<Body = unknown>(
  service: Target,
  method: string,
  path: string,
  question: Question = {},
): Promise<Answer<Body>> {
  const token = question.token === undefined ? service.token : question.token
  // Questions about tokens ask for all members, unless they say otherwise.
  const whole = path.startsWith('/v2/tokens') && !path.includes('include=') ? withAllMembers(path) : path
  const response = await fetch(service.url + whole, {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(question.body !== undefined && { 'content-type': 'application/json' }),
      ...question.headers,
    },
    ...(question.body !== undefined && {
      body: typeof question.body === 'string' ? question.body : JSON.stringify(question.body),
    }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as Body }
}

export const VALID = { datasets: ['web'], type: 'deploy' } as const

/** What a create of a monitor must have besides its query. */
export const MONITOR = { name: 'errors', operator: 'Above', threshold: 0, intervalMinutes: 1, rangeMinutes: 1 } as const

export function create(service: Target, members: object = {}, question: Omit<Question, 'body'> = {}) {
  return ask<Annotation & ErrorBody>(service, 'POST', '/v2/annotations', { ...question, body: { ...VALID, ...members } })
}

/** Creates one and fails the test if that did not work. */
export async function created(service: Target, members: object = {}): Promise<Annotation> {
  const { status, body } = await create(service, members)
  if (status !== 201) throw new Error(`create answered ${status} ${JSON.stringify(body)}`)
  return body
}

export function list(service: Target, query = '') {
  return ask<Annotation[] & ErrorBody>(service, 'GET', `/v2/annotations${query}`)
}

export function get(service: Target, id: string) {
  return ask<Annotation & ErrorBody>(service, 'GET', `/v2/annotations/${id}`)
}

export function change(service: Target, id: string, members: unknown) {
  return ask<Annotation & ErrorBody>(service, 'PUT', `/v2/annotations/${id}`, { body: members })
}

export function remove(service: Target, id: string) {
  return ask<ErrorBody>(service, 'DELETE', `/v2/annotations/${id}`)
}

/** @returns the secret of a new token that may do no more than that */
export async function tokenWith(service: Target, permissions: readonly Permission[]): Promise<string> {
  const { status, body } = await ask<{ token: string }>(service, 'POST', '/v2/tokens', { body: { name: 'narrow', permissions } })
  if (status !== 201) throw new Error(`making a token answered ${status} ${JSON.stringify(body)}`)
  return body.token
}
