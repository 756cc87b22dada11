import type { Agent } from "../../agent/agent.ts"
import type { Severity } from "../../ground/diagnostics/diagnostic.ts"
import { type Format, placeOf } from "../formats/format.ts"
import type { Locate, Place, Problem } from "../formats/problem.ts"
import type { WrittenHooks } from "./starters.ts"

/**
 * One thing that is looked for in definitions: one file each. Rules without a `check` explain what the reader or the
 * registry finds; the page of rules, `cadre rules` and SARIF read them all.
 */
export interface DiagnosticRule {
  readonly code: string
  /** An error keeps agents from running: only rules of that severity are asked before one starts. */
  readonly severity: Severity
  /** What, in one line. */
  readonly title: string
  readonly why: string
  /** What to do. */
  readonly fix: string
  readonly example: Example
  /** The part of agents that it looks at: one that has none of it is passed over. Absent: it looks at all of them. */
  readonly about?: keyof Agent
  /** Looks at one agent. */
  check?(subject: Subject, surroundings: Surroundings): void
  /** Looks at all of them together. */
  checkAll?(subjects: readonly Subject[], surroundings: Surroundings): void
}

/** A file in which the rule finds something, with others that it takes; or why no text can show it. */
export type Example = ExampleFile | { readonly unreproducible: string }

interface ExampleFile {
  readonly file: string
  /** Where the folder does not say it. */
  readonly format?: string
  readonly text: string
  readonly beside?: readonly { readonly file: string; readonly text: string }[]
}

/** An agent to be looked at. */
export interface CheckedAgent {
  readonly agent: Agent
  /** Undefined: it is written in code. */
  readonly format: Format | undefined
  /** What it was read from, which makes findings more precise. */
  readonly source?: { readonly text: string; readonly locate: Locate } | undefined
}

/** An agent that one rule is looking at. */
export interface Subject extends CheckedAgent {
  /** A function makes the finding only where it is still wanted: of very many, most are only counted. */
  report(finding: RuleFinding | (() => RuleFinding)): void
}

/** A problem whose code is that of the rule, and whose severity is too unless it says a lower one. */
export type RuleFinding = Omit<Problem, "code" | "severity"> & {
  readonly severity?: Exclude<Severity, "error">
}

/** What is known around the agents. Undefined: not known, and nothing is said about it. */
export interface Surroundings {
  /** Names of tools beyond the catalogue: registered in code or named in the configuration. */
  readonly tools: ReadonlySet<string>
  /** Names of variables that no file changes. */
  readonly lockedVariables?: readonly string[] | undefined
  /** What the configuration denies to every agent, each with its file and line. */
  readonly denials?: readonly ConfiguredDenial[] | undefined
  /** Hooks beside the definitions. A function: they are read only where somebody asks. */
  readonly written?: (() => WrittenHooks) | undefined
  /** Whose tools a subagent has, by the configuration: those of its own file, or no more than its caller's. */
  readonly delegation?: "own" | "narrow" | undefined
  /** Active agents by name and alias. */
  readonly agents: ReadonlyMap<string, Agent>
  /** Names of broken agents, with the file of each. Undefined: it is written in code. */
  readonly brokenAgents?: ReadonlyMap<string, string | undefined>
}

export interface ConfiguredDenial {
  readonly rule: string
  readonly at?: string | undefined
}

/** Where a part of the agent stands in its file. */
export const at = ({ format }: CheckedAgent, part: string, index?: number): Place =>
  placeOf(format, part, index)
