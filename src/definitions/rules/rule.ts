import type { Agent } from "../../agent/agent.ts"
import type { DiagnosticSeverity } from "../../ground/diagnostics/diagnostic.ts"
import { type Format, placeOfPart } from "../formats/format.ts"
import type { Locate, Problem, ProblemPlace } from "../formats/problem.ts"
import type { WrittenHooks } from "./starters.ts"

/**
 * One kind of finding; each rule has its own file. Rules without a `check` explain findings of the reader or the
 * registry. The page of rules, `cadre rules` and SARIF show all rules.
 */
export interface DiagnosticRule {
  readonly code: string
  /** An error keeps agents from running. Before a start, only rules of this severity are checked. */
  readonly severity: DiagnosticSeverity
  /** The finding in one line. */
  readonly title: string
  readonly why: string
  /** The steps that remove the finding. */
  readonly fix: string
  readonly example: RuleExample
  /** The part of an agent that the rule checks. Agents without this part are skipped. Undefined: it checks every agent. */
  readonly about?: keyof Agent
  /** Checks one agent. */
  check?(subject: Subject, surroundings: RuleFacts): void
  /** Checks all agents together. */
  checkAll?(subjects: readonly Subject[], surroundings: RuleFacts): void
}

/** A file in which the rule finds something, with the other files that it needs; or why no file can show it. */
export type RuleExample = ExampleFile | { readonly unreproducible: string }

interface ExampleFile {
  readonly file: string
  /** Set where the folder does not determine the format. */
  readonly format?: string
  readonly text: string
  readonly beside?: readonly { readonly file: string; readonly text: string }[]
}

/** An agent to check. */
export interface CheckedAgent {
  readonly agent: Agent
  /** Undefined: the agent is defined in code. */
  readonly format: Format | undefined
  /** The text of the agent's file. It makes the places of findings more precise. */
  readonly source?: { readonly text: string; readonly locate: Locate } | undefined
}

/** An agent that one rule checks. */
export interface Subject extends CheckedAgent {
  /** A function is called only if its finding is listed: beyond the limit, findings are only counted. */
  report(finding: RuleFinding | (() => RuleFinding)): void
}

/** A problem with the code of its rule, and with the rule's severity unless the finding sets a lower one. */
export type RuleFinding = Omit<Problem, "code" | "severity"> & {
  readonly severity?: Exclude<DiagnosticSeverity, "error">
}

/** Facts about the workspace of the agents. An undefined fact is unknown, and rules report nothing about it. */
export interface RuleFacts {
  /** Names of tools beyond the catalogue: registered in code or named in the configuration. */
  readonly tools: ReadonlySet<string>
  /** Names of variables that no file may change. */
  readonly lockedVariables?: readonly string[] | undefined
  /** The rules by which the configuration denies tools to every agent, each with its file and line. */
  readonly denials?: readonly ConfiguredDenial[] | undefined
  /** Hooks outside the definitions. A function, so that they are read only when a rule needs them. */
  readonly written?: (() => WrittenHooks) | undefined
  /** The configured source of a subagent's tools: its own file, or no more than the tools of its caller. */
  readonly delegation?: "own" | "narrow" | undefined
  /** Active agents by name and alias. */
  readonly agents: ReadonlyMap<string, Agent>
  /** Names of broken agents, with the file of each. An undefined file: the agent is defined in code. */
  readonly brokenAgents?: ReadonlyMap<string, string | undefined>
}

export interface ConfiguredDenial {
  readonly rule: string
  readonly at?: string | undefined
}

/** The place of a part of the agent in its file. */
export const locatePart = ({ format }: CheckedAgent, part: string, index?: number): ProblemPlace =>
  placeOfPart(format, part, index)
