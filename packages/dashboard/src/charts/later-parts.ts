/** Parts of the page of charts that are loaded when somebody opens them. */
import { later } from '../parts/later.tsx'

export const laterForm = later(async () => (await import('../all-annotations/annotation-form.tsx')).AnnotationForm)
export const laterPanel = later(async () => (await import('../annotations/panel.tsx')).Panel)
export const laterChanges = later(async () => (await import('../changes/changes-panel.tsx')).ChangesPanel)
export const laterEditor = later(async () => (await import('../query/query-editor.tsx')).QueryEditor)
export const laterEvents = later(async () => (await import('../events/event-list.tsx')).EventList)
export const laterResult = later(async () => (await import('./query-result.tsx')).QueryResult)
