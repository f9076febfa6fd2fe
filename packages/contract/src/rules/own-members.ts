/**
 * Members of tokens and annotations that the hosted service's do not have. Published clients that decode strictly refuse one with a
 * member that they do not know, so these are only in answers to requests that ask for them, with a header that every other service
 * ignores. Other resources have theirs in every answer: no published client was seen to refuse them.
 */

/** A request's header (RFC 7240) that asks for every member; `PREFER_ALL_MEMBERS` is what to send. */
export const PREFER_HEADER = 'prefer'
export const PREFER_ALL_MEMBERS = { [PREFER_HEADER]: 'members=all' } as const

export const OWN_ANNOTATION_MEMBERS = ['createdAt', 'createdBy'] as const
export const OWN_TOKEN_MEMBERS = ['kind', 'permissions', 'createdAt'] as const
