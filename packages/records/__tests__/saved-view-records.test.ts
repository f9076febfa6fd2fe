/** Saved views as records: those that an earlier version kept have what later ones added. */
import { describe, expect, test } from '@jest/globals'
import { insertSavedView, listSavedViews, type SavedViewDefinition } from '../src/saved-view-records.ts'
import { usePlaces } from './places.ts'

const places = usePlaces()

/** As the first version with saved views wrote them. */
const EARLIER = {
  name: 'Errors',
  aplQuery: '',
  datasets: ['web'],
  startTime: 'now-3h',
  endTime: 'now',
  compareWith: '',
  hiddenDatasets: [],
  hiddenTypes: ['deploy'],
}

describe.each(places.names)('on %s', (place) => {
  test('a view from before filters, columns and orders has none', async () => {
    await using at = await places.open(place)
    const record = { id: 'view_1', version: 1, createdBy: 'tok_1', createdAtMs: 1, updatedAtMs: 2 }
    await at.records.transaction((db) =>
      insertSavedView(db, { ...record, definition: EARLIER as unknown as SavedViewDefinition }),
    )
    const look = { resultKind: '', binWidth: '', unit: '', logScale: false, showFigures: false, marksQuery: '' }
    const definition = { ...EARLIER, ...look, charts: [], order: [], filters: [], columns: [], wrapLines: false }
    expect(await listSavedViews(at.records.read)).toEqual([{ ...record, definition }])
  })
})
