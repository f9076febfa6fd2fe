/**
 * Requests of the service's tests, over a real socket, and what came back.
 */

import type { Annotation } from '@deployment-annotations/contract/annotation'
import type { ErrorBody } from '@deployment-annotations/contract/error-body'
import { withAllMembers } from '@deployment-annotations/contract/header'
import type { Permission } from '@deployment-annotations/contract/permission'
import type { MadeToken } from '@deployment-annotations/contract/token'
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
  /** By default the service's own; `null` sends none. */
  token?: string | null | undefined
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

/** What a create may say. */
export const WHOLE = {
  datasets: ['web', 'api'],
  time: '2026-01-01T00:00:00.123456789Z',
  endTime: '2026-01-01T01:00:00Z',
  title: 'Release 7',
  description: 'Now with *charts*',
  type: 'production-deploy',
  url: 'https://example.org/run/7',
} as const

/** What a create of a monitor must have besides its query. */
export const MONITOR = { name: 'errors', operator: 'Above', threshold: 0, intervalMinutes: 1, rangeMinutes: 1 } as const

/** What may be done with each kind of thing. */
export const CRUD = ['create', 'read', 'update', 'delete'] as const

/** Sends a POST, and fails the test if that did not work. @returns the body of the answer */
export async function make<Body = { id: string }>(service: Target, path: string, body: object, token?: string): Promise<Body> {
  const answer = await ask<Body>(service, 'POST', path, { body, token })
  if (answer.status >= 300) throw new Error(`POST ${path} answered ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

export function create(service: Target, members: object = {}, question: Omit<Question, 'body'> = {}) {
  return ask<Annotation & ErrorBody>(service, 'POST', '/v2/annotations', { ...question, body: { ...VALID, ...members } })
}

/** Creates one and fails the test if that did not work. */
export function created(service: Target, members: object = {}): Promise<Annotation> {
  return make<Annotation>(service, '/v2/annotations', { ...VALID, ...members })
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

/** @param may permissions, or members of the token that say as much */
export function makeToken(service: Target, may: readonly Permission[] | object): Promise<MadeToken> {
  return make<MadeToken>(service, '/v2/tokens', { name: 'narrow', ...(Array.isArray(may) ? { permissions: may } : may) })
}

/** @returns the secret of a new token that may do no more than that */
export async function tokenWith(service: Target, may: readonly Permission[] | object): Promise<string> {
  return (await makeToken(service, may)).token
}
