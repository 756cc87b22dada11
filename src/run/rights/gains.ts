import type { RuleSet } from "../log/event-rights.ts"
import type { RunStart } from "../log/event-run.ts"
import { findDenial } from "./find-denial.ts"
import { isNarrower } from "./narrower.ts"
import { toCanonicalNames } from "./rule-sets.ts"

type ToolRights = Pick<RunStart, "tools" | "rights" | "programTools">

/**
 * The tools that a child can use and its caller cannot. They include the tools of the program that runs the
 * child, and tools that the caller may use only in part.
 */
export function findGains(
  caller: ToolRights,
  child: ToolRights,
  registered: ReadonlyMap<string, unknown>,
): readonly string[] {
  const isGain = (tool: string) =>
    !caller.tools.includes(tool) ||
    ownSets(caller, tool).some((set) => !ownSets(child, tool).some((own) => isNarrower(own, set)))
  const ofProgram = (child.programTools ?? []).filter((name) =>
    toCanonicalNames(name, registered).some(isGain),
  )
  return [...child.tools.filter((name) => !isAboutRuns(name) && isGain(name)), ...ofProgram]

  /**
   * The lists that give a run only a part of the tool: entries with parentheses, and lists of agents that it
   * activated.
   */
  function ownSets({ rights }: ToolRights, name: string): readonly RuleSet[] {
    return rights.filter(
      (set) =>
        set.own && (set.tools ? set.tools.includes(name) : findDenial([set], name, registered) !== undefined),
    )
  }
}

/** Tools that work on other runs come with having subagents. */
const isAboutRuns = (name: string): boolean => /^(Agent[A-Z]\w*|AskParent|submit_result)$/.test(name)
