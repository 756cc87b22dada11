import type { Agent } from "../../agent/agent.ts"
import type { AttachmentInput } from "../../agent/attachments/task-attachment.ts"
import type { RunNodeInput } from "../../agent/run-node.ts"
import type { RunLimits } from "../../ground/limits.ts"
import type { Json } from "../../ground/message.ts"
import type { RunStart } from "../log/event-run.ts"
import type { RunState } from "../state/state.ts"
import type { EndedRun } from "./ended-run.ts"
import type { Definition } from "./pinned.ts"

/** Everything that starting a run needs. The parent of a root is the configuration. */
export interface Beginning {
  readonly run: string
  readonly agent: Agent
  readonly task: string
  /** For a root: the attachments of its task. */
  readonly attachments?: readonly AttachmentInput[]
  readonly parent?: RunState
  readonly call?: string
  /** The hook that starts the run. */
  readonly hook?: string
  readonly limits?: RunLimits
  readonly model?: string | null
  readonly tools?: readonly string[]
  /** For a child: every tool that a run of its tree may have. */
  readonly ceiling?: readonly string[]
  readonly variables?: { readonly [name: string]: Json }
  /** The code node to work on, or its address. */
  readonly node?: string | RunNodeInput
  readonly cwd?: string
  readonly depth?: number
  readonly continues?: string
  /** The run that this run continues. Its denials bind this run. */
  readonly continuedRun?: EndedRun
  /** The run that failed at this task before. */
  readonly fallbackOf?: string
  /** For a root with the task of a failed root: that root. Its rights and sandbox bind this run, too. */
  readonly follows?: RunState
  /** For a root that follows another: the agents that remain, and those that were tried. */
  readonly fallback?: Pick<NonNullable<RunStart["fallback"]>, "next" | "tried">
  /** `skip`: neither this run nor any run below reuses recorded results. */
  readonly cache?: "skip"
  /** The dedupe key, which the creator of the run has taken already. */
  readonly dedupe?: string
  /** Warnings that are known before the run begins. */
  readonly warnings?: readonly string[]
  readonly definitions?: DefinitionCache
}

/** The definitions that a tree keeps, or is about to keep: by agent, then by granted tools. */
export type DefinitionCache = Map<Agent, Map<string, Promise<Definition>>>
