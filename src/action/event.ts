/** What the event says of the source, in a file of its own: only pull requests and runs after another one need it. */
export { readEventSource } from '@deployment-annotations/inputs/event'
