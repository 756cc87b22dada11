import type { Agent, Scope } from "../../agent/agent.ts"
import type { Problem } from "../formats/problem.ts"
import type { ReadFile } from "./file.ts"

/** A definition that could be used, before it is settled which of one name is. */
export interface Candidate {
  readonly agent: Agent
  readonly scope: Scope
  /** The folder it was found through; empty where it is written in code. */
  readonly folder: string
  readonly distance: number
  /** Undefined: it is written in code. */
  readonly file: ReadFile | undefined
}

/** A definition and what became of it. */
export interface Entry {
  readonly candidate: Candidate
  readonly state: State
  readonly problems: readonly Problem[]
}

/** Broken: it has an error, is listed and refuses to run. Nothing below it is used by its name. */
export type State =
  | { readonly type: "active" }
  | { readonly type: "shadowed"; readonly by: string }
  | { readonly type: "broken" }
