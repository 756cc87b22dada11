import type { RuleSet } from "../log/event-rights.ts"
import type { RunStart } from "../log/event-run.ts"
import { isNarrower } from "./narrower.ts"
import { canonicalNames } from "./rule-sets.ts"
import { takerOf } from "./taken.ts"

type Had = Pick<RunStart, "tools" | "rights" | "programTools">

/**
 * What a child can do and its caller cannot: tools of its own, those of the program that runs it, and uses of a tool that
 * the caller has for other uses only.
 */
export function gainsOf(caller: Had, child: Had, known: ReadonlyMap<string, unknown>): readonly string[] {
  const isGain = (tool: string) =>
    !caller.tools.includes(tool) ||
    ownSets(caller, tool).some((set) => !ownSets(child, tool).some((own) => isNarrower(own, set)))
  const ofProgram = (child.programTools ?? []).filter((name) => canonicalNames(name, known).some(isGain))
  return [...child.tools.filter((name) => !isAboutRuns(name) && isGain(name)), ...ofProgram]

  /** The lists that leave a run less than the whole tool: those with parentheses, and those of agents that it has taken on. */
  function ownSets({ rights }: Had, name: string): readonly RuleSet[] {
    return rights.filter(
      (set) => set.own && (set.tools ? set.tools.includes(name) : takerOf([set], name, known) !== undefined),
    )
  }
}

/** Whatever deals with other runs comes with having some. */
const isAboutRuns = (name: string): boolean => /^(Agent[A-Z]\w*|AskParent|submit_result)$/.test(name)
