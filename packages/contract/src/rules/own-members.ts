/**
 * Members of tokens and annotations that the hosted service's do not have. Published clients that decode strictly refuse one with a
 * member that they do not know, so these are only in answers to requests that ask for them, with a header (rules/header.ts) that every
 * other service ignores. Other resources have theirs in every answer: no published client was seen to refuse them.
 */

export const OWN_ANNOTATION_MEMBERS = ['createdAt', 'createdBy'] as const
export const OWN_TOKEN_MEMBERS = ['kind', 'permissions', 'createdAt'] as const
