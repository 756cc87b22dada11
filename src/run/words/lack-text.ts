import type { Lack, LackBelow, LackReason } from "../log/event-rights.ts"

/** What a run went without, for whoever reads what came of it. */
export const lackNote = (agent: string, lacks: readonly Lack[]): string =>
  `Agent "${agent}" did not have all the tools that its definition asks for. ${lackTexts(lacks)}`

/** What came from another process may be anything. */
export const isLackList = (value: unknown): value is readonly LackBelow[] =>
  Array.isArray(value) &&
  value.every(
    (one) =>
      typeof one?.agent === "string" &&
      Array.isArray(one.lacks) &&
      one.lacks.every(
        (lack: Partial<Lack> | null) =>
          typeof lack?.tool === "string" && Object.hasOwn(reasons, String(lack.by?.type)),
      ),
  )

const reasons: { readonly [Type in LackReason["type"]]: true } = {
  rules: true,
  mode: true,
  limit: true,
  call: true,
  caller: true,
  continued: true,
  unoffered: true,
  absent: true,
  foreign: true,
}

/** Why a run goes without tools, and what to write so that it has them: once for all that the same took. */
export function lackTexts(lacks: readonly Lack[]): string {
  const groups = new Map<string, Lack[]>()
  for (const lack of lacks) {
    const key = JSON.stringify([lack.by, lack.at])
    groups.set(key, [...(groups.get(key) ?? []), lack])
  }
  return [...groups.values()]
    .map((group) => {
      const tools = group.map(({ tool }) => tool)
      return `${tools.join(", ")}: ${reasonText(tools, group[0]!)}. ${adviceOn(tools, group[0]!.by)}`
    })
    .join(" ")
}

/** Who took the tool, with the place where that is written. */
export const lackReason = (lack: Lack): string => reasonText([lack.tool], lack)

/** What to write so that the run has the tool. */
export const lackAdvice = ({ tool, by }: Lack): string => adviceOn([tool], by)

function reasonText(tools: readonly string[], { by, at }: Pick<Lack, "by" | "at">): string {
  const where = at === undefined ? "" : ` (${at})`
  const [it, they] = tools.length === 1 ? ["it is", "it"] : ["they are", "them"]
  switch (by.type) {
    case "rules":
      if (by.rule === undefined) return `${it} not allowed by ${by.of}${where}`
      return by.asks
        ? `the rules of ${by.of} ask about ${they}${where}, and a program has nobody to ask`
        : `${it} denied by the rules of ${by.of}${where}`
    case "mode":
      return by.agent === undefined
        ? `in plan mode${where} nothing may change`
        : `agent "${by.agent}" is in plan mode${where}, in which nothing may change, also below it`
    case "limit":
      return by.agent === undefined
        ? `the depth limit (maxDepth ${by.value})${where} is reached`
        : `the depth limit of agent "${by.agent}" (maxDepth ${by.value})${where} is reached`
    case "call":
      return `the call that started this tree leaves ${they} out`
    case "caller":
      return `agent "${by.agent}", which calls it, does not have ${tools.join(", ")}${where}, and it may have no more than its caller`
    case "continued":
      return `run ${by.run}, which it continues, ${by.denied ? "was denied" : "did not have"} ${they}`
    case "unoffered":
      return "no model calls it, because it starts the program of an agent that has an `executor`"
    case "absent":
      return by.reason
    case "foreign":
      return "it is another host's tool, and there is none like it here"
  }
}

function adviceOn(tools: readonly string[], by: LackReason): string {
  const names = tools.join(", ")
  const they = tools.length === 1 ? "it" : "them"
  switch (by.type) {
    case "rules":
      if (by.of.startsWith("the trust in ")) return "Review that with `cadre trust`."
      return by.rule === undefined
        ? `Allow ${names} there.`
        : `Take \`${by.rule}\` out there to give ${they} back.`
    case "mode":
      return by.agent === undefined
        ? "Start it in another mode."
        : `Take \`permissionMode: plan\` out there to give ${they} back.`
    case "limit":
      return `Raise \`${by.limit}\`, or leave ${names} out of the list.`
    case "call":
      return `Name ${names} in the \`tools\` of that call.`
    case "caller":
      return `Add ${names} to the tools of "${by.agent}".`
    case "continued":
      return by.denied
        ? `A new run has ${they}: start one instead of continuing that run.`
        : "Start it anew instead of continuing that run."
    case "unoffered":
      return `Take ${names} out of the list.`
    case "absent":
      return `Set it up, or take ${names} out of the list.`
    case "foreign":
      return `Take ${names} out of the list.`
  }
}
