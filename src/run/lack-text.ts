import type { Lack, LackBelow } from "./event.ts"

/** What a run went without, for whoever reads what came of it. */
export const lackNote = (agent: string, lacks: readonly Lack[]): string =>
  `Agent "${agent}" did not have all the tools that it lists. ${lacks.map(lackText).join(" ")}`

/** What came from another process may be anything. */
export const isLackList = (value: unknown): value is readonly LackBelow[] =>
  Array.isArray(value) &&
  value.every(
    (one) =>
      typeof one?.agent === "string" &&
      Array.isArray(one.lacks) &&
      one.lacks.every(
        (lack: Partial<Lack> | null) =>
          typeof lack?.tool === "string" && reasons.includes(String(lack.by?.type)),
      ),
  )

const reasons: readonly string[] = [
  "rules",
  "call",
  "caller",
  "absent",
  "foreign",
] satisfies readonly Lack["by"]["type"][]

/** Why a run goes without a tool, and what to write so that it has it. */
export const lackText = (lack: Lack): string => `${lack.tool}: ${lackReason(lack)}. ${adviceOn(lack)}`

/** Who took the tool, with the place where that is written. */
export function lackReason({ tool, by, at }: Lack): string {
  const where = at === undefined ? "" : ` (${at})`
  switch (by.type) {
    case "rules":
      return by.rule === undefined
        ? `${by.of} denies all that it does not allow${where}`
        : `it is denied by the rules of ${by.of}${where}`
    case "call":
      return "the call that started this tree leaves it out"
    case "caller":
      return `agent "${by.agent}", which calls it, does not have ${tool}${where}, and it may have no more than its caller`
    case "absent":
      return by.reason
    case "foreign":
      return "it is another host's tool, and there is none like it here"
  }
}

function adviceOn({ tool, by }: Lack): string {
  switch (by.type) {
    case "rules":
      return by.rule === undefined ? `Allow ${tool} there.` : `Take \`${by.rule}\` out there to give it back.`
    case "call":
      return `Name ${tool} in the \`tools\` of that call.`
    case "caller":
      return `Add ${tool} to the tools of "${by.agent}".`
    case "absent":
      return `Set it up, or take ${tool} out of the list.`
    case "foreign":
      return `Take ${tool} out of the list.`
  }
}
