import type { Agent } from "../../agent/agent.ts"
import type { AttachmentInput } from "../../agent/attachments/task-attachment.ts"
import type { ModelInput } from "../../agent/model.ts"
import type { RunNodeInput } from "../../agent/run-node.ts"
import type { RunLimits } from "../../ground/limits.ts"
import type { Json } from "../../ground/message.ts"
import type { KnownOptions } from "../../ground/options.ts"
import type { StartProblemOptions } from "../begin/start-problems.ts"
import type { ExplainOptions } from "../explain/explain.ts"

/** Options of one run. Its limits on time, tokens, cost, spawns and depth also bind the runs below it. */
export interface RunOptions {
  /** Overrides the definition's model: a name, a model object, settings to open one, or null for the default. */
  readonly model?: ModelInput
  /** The only tools that the run may use. It narrows the definition, and never widens it. */
  readonly tools?: readonly string[]
  /** In milliseconds. Short for `limits.timeout`. */
  readonly timeout?: number
  /**
   * Limits that override those of the definition and the runtime. Times are in milliseconds. Default: none.
   */
  readonly limits?: RunLimits
  /**
   * Initial values of variables. They override those of the definition, except for locked ones. Default:
   * none.
   */
  readonly variables?: { readonly [name: string]: Json }
  /**
   * The code node to work on: its address, such as `src/x.py::Class.method`, or the node with its text. It is read when
   * the run starts, and sets the variables node_text, node_name, node_type and file_path.
   */
  readonly node?: string | RunNodeInput
  /** Pictures and PDFs for its model, by path or by content. Runs below it do not get them. */
  readonly attachments?: readonly AttachmentInput[]
  /** Aborting it cancels the run and everything below it. */
  readonly signal?: AbortSignal
  /** The folder that the run works in. Default: the working directory of the process. */
  readonly cwd?: string
  /** The depth of this run below another root. Default: 0. */
  readonly depth?: number
  /** An ended run whose history this one continues. */
  readonly continues?: string
  /** `skip`: ignores cached results, for this run and all runs below it. */
  readonly cache?: "skip"
  /** Allows one active run for this agent and key. While there is one, a new run fails with RUN_ACTIVE and names it. */
  readonly dedupe?: string
}

/** Options of a run that is only explained. */
export interface DryRunOptions extends Omit<RunOptions, "signal"> {
  /** The callers above the agent, from the root down. Default: none, so the agent is a root. */
  readonly parents?: readonly (string | Agent)[]
}

export interface ResumeOptions {
  /** Takes over even if the current owner might still be alive. */
  readonly force?: true
  /**
   * Repairs a damaged log first. Readable events are kept, and the model is told that others are lost. An opaque call that
   * may have started is not repeated. The damaged log stays beside the repaired one.
   */
  readonly repair?: true
  readonly signal?: AbortSignal
}

export interface SendOptions {
  /** The sender of the message. Default: `user`. */
  readonly from?: string
  /** Messages with the same key count once. */
  readonly key?: string
}

export const runOptions: KnownOptions<RunOptions> = {
  model: "known",
  tools: "known",
  timeout: "known",
  limits: "known",
  variables: "known",
  node: "known",
  attachments: "known",
  signal: "known",
  cwd: "known",
  depth: "known",
  continues: "known",
  cache: "known",
  dedupe: "known",
}
const { signal: _, ...withoutSignal } = runOptions
export const dryRunOptions: KnownOptions<DryRunOptions> = { ...withoutSignal, parents: "known" }
export const explainOptions: KnownOptions<ExplainOptions> = {
  model: "known",
  tools: "known",
  limits: "known",
  variables: "known",
  parents: "known",
  cwd: "known",
  depth: "known",
}
export const startProblemOptions: KnownOptions<StartProblemOptions> = {
  cwd: "known",
  assume: "known",
}
export const resumeOptions: KnownOptions<ResumeOptions> = {
  force: "known",
  repair: "known",
  signal: "known",
}
export const sendOptions: KnownOptions<SendOptions> = {
  from: "known",
  key: "known",
}
