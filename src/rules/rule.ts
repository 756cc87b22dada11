import type { Agent } from "../agent.ts"
import type { Severity } from "../diagnostics/diagnostic.ts"
import { type Format, placeOf } from "../formats/format.ts"
import type { Place, Problem } from "../formats/problem.ts"

/**
 * One thing that is looked for in definitions: one file each. Rules without a `check` explain what the reader or the
 * registry finds; the page of rules, `cadre rules` and SARIF read them all.
 */
export interface DiagnosticRule {
  readonly code: string
  readonly severity: Severity
  /** What, in one line. */
  readonly title: string
  readonly why: string
  /** What to do. */
  readonly fix: string
  /** Files that show it: the first is found wrong. */
  readonly example: { readonly file: string; readonly text: string }
  /** Looks at one agent. */
  check?(subject: Subject, surroundings: Surroundings): void
  /** Looks at all of them together. */
  checkAll?(subjects: readonly Subject[], surroundings: Surroundings): void
}

/** An agent that is looked at. */
export interface Subject {
  readonly agent: Agent
  /** Undefined: it is written in code. */
  readonly format: Format | undefined
  report(problem: Problem): void
}

/** What is known around the agents. Undefined: not known, and nothing is said about it. */
export interface Surroundings {
  /** Names of tools beyond the catalogue: registered in code or named in the configuration. */
  readonly tools: ReadonlySet<string>
  /** Names that a model may be called by: presets, aliases and providers of the configuration. */
  readonly models: ReadonlySet<string> | undefined
  readonly skills: ReadonlySet<string> | undefined
  /** Active agents by name and alias. */
  readonly agents: ReadonlyMap<string, Agent>
}

/** Where a part of the agent stands in its file. */
export const at = ({ format }: Subject, part: string, index?: number): Place => placeOf(format, part, index)
