import type { Agent } from "../../agent/agent.ts"
import type { GivenAttachment } from "../../agent/attachments/given.ts"
import type { Limits } from "../../ground/limits.ts"
import type { Json } from "../../ground/message.ts"
import type { RunStart } from "../log/event-run.ts"
import type { RunState } from "../state/state.ts"
import type { EndedRun } from "./ended-run.ts"
import type { Definition } from "./pinned.ts"

/** What starting a run takes. A root's parent is the configuration. */
export interface Beginning {
  readonly run: string
  readonly agent: Agent
  readonly task: string
  /** Of a root: what its task is given with. */
  readonly attachments?: readonly GivenAttachment[]
  readonly parent?: RunState
  readonly call?: string
  /** The hook that wants it. */
  readonly hook?: string
  readonly limits?: Limits
  readonly model?: string | null
  readonly tools?: readonly string[]
  /** Of a child: every tool that a run of its tree may have. */
  readonly ceiling?: readonly string[]
  readonly variables?: { readonly [name: string]: Json }
  readonly cwd?: string
  readonly depth?: number
  readonly continues?: string
  /** The run that it continues, by whose denials it is bound. */
  readonly ended?: EndedRun
  /** The run whose task it has because that failed. */
  readonly fallbackOf?: string
  /** Of a root that has the task of another: that one, by whose rights and sandbox it is bound, too. */
  readonly follows?: RunState
  /** Of a root that follows another: who is left, and who was tried. */
  readonly fallback?: Pick<NonNullable<RunStart["fallback"]>, "next" | "tried">
  /** `skip`: it is worked out, whatever was recorded, and so is everything below it. */
  readonly cache?: "skip"
  /** Held for it by whoever creates it. */
  readonly dedupe?: string
  /** What is to be said of it before it has begun. */
  readonly warnings?: readonly string[]
  readonly kept?: Kept
}

/** Of each agent, by what it is granted: definitions that a tree keeps, or is about to. */
export type Kept = Map<Agent, Map<string, Promise<Definition>>>
