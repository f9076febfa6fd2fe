/** Reads the source from the event. A file of its own, because only pull requests and runs after another workflow need it. */
export { readEventSource } from '@deployment-annotations/inputs/event'
