/** What the memory of a page holds, from a snapshot of its heap: how many objects there are of each class. */
import type { CDPSession } from 'playwright-core'

interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[]]; edge_types: [string[]] } }
  nodes: number[]
  edges: number[]
  strings: string[]
}

/** @returns the number of objects by the name of their class; of plain objects by their first members, such as `{type,props,key}` */
export async function countClasses(session: CDPSession): Promise<Map<string, number>> {
  const chunks: string[] = []
  const collect = ({ chunk }: { chunk: string }) => void chunks.push(chunk)
  session.on('HeapProfiler.addHeapSnapshotChunk', collect)
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.takeHeapSnapshot')
  session.off('HeapProfiler.addHeapSnapshotChunk', collect)
  const { snapshot, nodes, edges, strings } = JSON.parse(chunks.join('')) as Snapshot
  const { node_fields, node_types, edge_types } = snapshot.meta
  const counts = new Map<string, number>()
  let edge = 0
  for (let at = 0; at < nodes.length; at += node_fields.length) {
    const [type = 0, name = 0, , , edgeCount = 0] = nodes.slice(at, at + 5)
    const end = edge + 3 * edgeCount
    if (node_types[0][type] === 'object') {
      const members: string[] = []
      for (; edge < end && strings[name] === 'Object' && members.length < 3; edge += 3)
        if (edge_types[0][edges[edge] ?? 0] === 'property') members.push(strings[edges[edge + 1] ?? 0] ?? '')
      const key = members.length > 0 ? `{${members}}` : (strings[name] ?? '')
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    edge = end
  }
  return counts
}
