import type { RunStart } from "./event.ts"
import { isAmong } from "./rule-sets.ts"

type Had = Pick<RunStart, "tools" | "rights">

/** What a child can do and its caller cannot: tools of its own, and uses of a tool that the caller has for others only. */
export const gainsOf = (caller: Had, child: Had): readonly string[] =>
  child.tools.filter(
    (name) => !isAboutRuns(name) && (!caller.tools.includes(name) || isWider(name, caller, child)),
  )

/** Whatever deals with other runs comes with having some. */
const isAboutRuns = (name: string): boolean => /^(Agent[A-Z]\w*|AskParent|submit_result)$/.test(name)

const isWider = (name: string, caller: Had, child: Had): boolean =>
  ownSets(caller, name).some((set) => !isAmong(ownSets(child, name), set))

const ownSets = ({ rights }: Had, name: string) =>
  rights.filter(({ own, tools }) => own && tools?.includes(name))
