/** The annotations that charts number while a list of what changed is open. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { signal } from '@preact/signals'

export const NONE: readonly Annotation[] = []
/** The likeliest first; none while no list is open. */
export const ranked = signal(NONE)

/** @returns 1 for the likeliest; 0 for what is not in the list */
export const rankOf = ({ id }: Annotation): number => 1 + ranked.value.findIndex((one) => one.id === id)
