/**
 * Which members of a resource a request gets to see: those of the hosted service, and with `Prefer: members=all` those of our own too.
 * Why, and which they are: header.ts of the contract.
 */
import { PREFER_ALL_MEMBERS, PREFER_HEADER } from '@deployment-annotations/contract/header'
import Type from '@deployment-annotations/contract/schemas/type'
import type { FastifyRequest } from 'fastify'

/** A preference among others, its value quoted or not (RFC 7240, section 2). */
const MEMBERS_ALL = /(?:^|,)\s*members\s*=\s*(?:all|"all")\s*(?:[;,]|$)/i

type Shown<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>

/** @returns whether the request asks for members of ours too */
export function asksForAll({ headers }: FastifyRequest): boolean {
  // Several headers of one name arrive as one.
  return MEMBERS_ALL.test(String(headers[PREFER_HEADER] ?? ''))
}

/** The resource without members of ours that the request did not ask for. */
export function shownTo<T extends object, K extends keyof T>(
  request: FastifyRequest,
  resource: T,
  own: readonly K[],
): Shown<T, K> {
  if (asksForAll(request)) return resource
  const hidden: ReadonlySet<unknown> = new Set(own)
  const shown = Object.entries(resource).filter(([member]) => !hidden.has(member))
  return Object.fromEntries(shown) as Shown<T, K>
}

/** @returns the header among those of a request. @param own the members that it adds to an answer, for the document */
export function preferHeader(own: readonly string[]) {
  const names = own.map((name) => `\`${name}\``).join(', ')
  const description = `\`${PREFER_ALL_MEMBERS[PREFER_HEADER]}\` also answers what is specific to this service: ${names}.`
  return { [PREFER_HEADER]: Type.Optional(Type.String({ description })) }
}
