/**
 * The task of upkeep that keeps columns and indexes beside the events.
 */
import type { Engine } from '../../store/engine.ts'
import type { EventLayouts } from '../../store/event-layouts.ts'
import { openLayoutTrial } from '../../store/layout-trial.ts'
import type { Datasets } from '../datasets/datasets.ts'
import type { UpkeepTasks } from '../upkeep.ts'
import { LayoutKeeper, TASK } from './layout-keeper.ts'

interface KeepIndexesParts {
  engine: Engine
  layouts: EventLayouts
  datasets: Datasets
  isOn: boolean
}

export function keepIndexes({ engine, ...parts }: KeepIndexesParts): UpkeepTasks {
  const keeper = new LayoutKeeper({ ...parts, openTrial: (table, rows) => openLayoutTrial(engine, table, rows) })
  return { [TASK]: (log) => keeper.upkeep(log) }
}
