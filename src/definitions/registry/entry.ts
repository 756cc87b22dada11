import type { Agent, AgentScope } from "../../agent/agent.ts"
import type { Problem } from "../formats/problem.ts"
import type { DefinitionFile } from "./file.ts"

/** A definition that could be used, before it is decided which one of each name is. */
export interface AgentCandidate {
  readonly agent: Agent
  readonly scope: AgentScope
  /** The folder where it was found; empty if it is written in code. */
  readonly folder: string
  readonly distance: number
  /** Undefined: it is written in code. */
  readonly file: DefinitionFile | undefined
}

/** A definition and its state. */
export interface RegistryEntry {
  /** The agent with its scope and its file. Code has no file. */
  readonly candidate: AgentCandidate
  /** `active`: its name finds it. `shadowed`: another definition has the name. `broken`: it has an error. */
  readonly state: DefinitionState
  /** The findings about it, without their lines and columns. `diagnostics()` of the registry has these. */
  readonly problems: readonly Problem[]
}

/** A broken definition has an error: it is listed but does not run, and no definition below it takes its name. */
export type DefinitionState =
  | { readonly type: "active" }
  | { readonly type: "shadowed"; readonly by: string }
  | { readonly type: "broken" }
