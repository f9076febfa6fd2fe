/** What was being written when the editor went away with its page, so that it is there when the page comes back. */

let kept = { apl: '', draft: '' }

export const unfinished = {
  /** @returns the draft that was left of this query; the query itself where none was */
  of: (apl: string): string => (kept.apl === apl && kept.draft !== '' ? kept.draft : apl),

  keep(apl: string, draft: string): void {
    kept = { apl, draft }
  },

  /** @returns whether there is a draft where no query was run yet */
  isThere: (): boolean => kept.apl === '' && kept.draft !== '',
}
