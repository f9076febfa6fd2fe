/**
 * Members of annotations that other resources have too, for the schemas that are written with TypeBox.
 */
import { ANNOTATION_TYPE } from '../annotation.ts'
import { ANSWERED_DATASET_NAME } from '../dataset-name.ts'
import Type from './type.ts'

export const AnsweredDatasetName = Type.Unsafe<string>(ANSWERED_DATASET_NAME)
export const AnnotationType = Type.Unsafe<string>(ANNOTATION_TYPE)
