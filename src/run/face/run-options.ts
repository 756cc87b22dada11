import type { Agent } from "../../agent/agent.ts"
import type { GivenAttachment } from "../../agent/attachments/given.ts"
import type { GivenModel } from "../../agent/model.ts"
import type { Limits } from "../../ground/limits.ts"
import type { Json } from "../../ground/message.ts"
import type { KnownOptions } from "../../ground/options.ts"
import type { StartProblemOptions } from "../begin/start-problems.ts"
import type { ExplainOptions } from "../explain/explain.ts"

export interface RunOptions {
  /** Instead of what the definition says: a name, a model object, settings to open one, or null for the default. */
  readonly model?: GivenModel
  /** Narrows what the agent may use; never widens it. */
  readonly tools?: readonly string[]
  /** Milliseconds; short for `limits.timeout`. */
  readonly timeout?: number
  readonly limits?: Limits
  readonly variables?: { readonly [name: string]: Json }
  /** Pictures and PDFs for its model, by path or by content. What it starts does not get them. */
  readonly attachments?: readonly GivenAttachment[]
  readonly signal?: AbortSignal
  readonly cwd?: string
  /** Where this run already is below some other root. Default 0. */
  readonly depth?: number
  /** An ended run whose history this one goes on with. */
  readonly continues?: string
  /** `skip`: an agent with `cache` works its result out, whatever was recorded, and so does everything below it. */
  readonly cache?: "skip"
  /** One active run of the agent and this key in the store: while there is one, the run fails with RUN_ACTIVE and its id. */
  readonly dedupe?: string
}

export interface DryRunOptions extends Omit<RunOptions, "signal"> {
  /** The agents that it would be called by, from the root down. Left out: it is a root. */
  readonly parents?: readonly (string | Agent)[]
}

export interface ResumeOptions {
  /** Takes the tree from an owner that cannot be told dead. */
  readonly force?: true
  /**
   * Mends a damaged log first. What can be read is kept; of what is lost the model is told, and an opaque call that may
   * have started is not made again. The log as it was stays beside it.
   */
  readonly repair?: true
  readonly signal?: AbortSignal
}

export interface SendOptions {
  /** Who says it. Default: `user`. */
  readonly from?: string
  /** A message of the same key is taken once. */
  readonly key?: string
}

export const runOptions: KnownOptions<RunOptions> = {
  model: "known",
  tools: "known",
  timeout: "known",
  limits: "known",
  variables: "known",
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
