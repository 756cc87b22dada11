import "./ground/node-version.ts"

export type { Pipeline, PipelineStep } from "./agent/pipeline.ts"
export { definePipeline, type PipelineInput } from "./definitions/pipelines/define.ts"
