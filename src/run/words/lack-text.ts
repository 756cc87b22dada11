import type { Lack, LackBelow, LackReason } from "../log/event-rights.ts"

/** The note about missing tools, for readers of a run's result. */
export const writeLackNote = (agent: string, lacks: readonly Lack[]): string =>
  `Agent "${agent}" did not have all the tools that its definition lists. ${describeLacks(lacks)}`

/** Checks the shape, because the value may come from another process. */
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

/**
 * The reasons why a run lacks tools, and how to give it them. Tools with the same reason share one sentence.
 */
export function describeLacks(lacks: readonly Lack[]): string {
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

/** The cause that took the tool, with the place where it is written. */
export const describeLackReason = (lack: Lack): string => reasonText([lack.tool], lack)

/** The change that would give the run the tool. */
export const describeLackAdvice = ({ tool, by }: Lack): string => adviceOn([tool], by)

function reasonText(tools: readonly string[], { by, at }: Pick<Lack, "by" | "at">): string {
  const where = at === undefined ? "" : ` (${at})`
  const [it, them] = tools.length === 1 ? ["it is", "it"] : ["they are", "them"]
  switch (by.type) {
    case "rules":
      if (by.rule === undefined) return `${it} not allowed by ${by.of}${where}`
      return by.asks
        ? `the rules of ${by.of} require approval for ${them}${where}, and a program cannot ask for approval`
        : `${it} denied by the rules of ${by.of}${where}`
    case "mode":
      return by.agent === undefined
        ? `plan mode${where} allows no changes`
        : `agent "${by.agent}" is in plan mode${where}, which allows no changes by it or by its subagents`
    case "limit":
      return by.agent === undefined
        ? `the depth limit (maxDepth ${by.value})${where} is reached`
        : `the depth limit of agent "${by.agent}" (maxDepth ${by.value})${where} is reached`
    case "call":
      return `the call that started this tree leaves ${them} out`
    case "caller":
      if (by.needs)
        return `the script does what ${by.needs.join(" and ")} do, its caller, agent "${by.agent}", does not have ${by.needs.join(", ")}${where}, and it may not do more than its caller`
      return `its caller, agent "${by.agent}", does not have ${tools.join(", ")}${where}, and it may not have more tools than its caller`
    case "continued":
      return `run ${by.run}, which it continues, ${by.denied ? "was denied" : "did not have"} ${them}`
    case "unoffered":
      return "no model may call it, because it starts the programs of agents with an `executor`"
    case "absent":
      return by.reason
    case "foreign":
      return "it is a tool of another host, and there is no equivalent here"
  }
}

function adviceOn(tools: readonly string[], by: LackReason): string {
  const names = tools.join(", ")
  const them = tools.length === 1 ? "it" : "them"
  switch (by.type) {
    case "rules":
      if (by.of.startsWith("the trust in ")) return "Review that with `cadre trust`."
      return by.rule === undefined ? `Allow ${names} there.` : `Remove \`${by.rule}\` there to allow ${them}.`
    case "mode":
      return by.agent === undefined
        ? "Start the run in another mode."
        : `Remove \`permissionMode: plan\` there to allow ${them}.`
    case "limit":
      return `Raise \`${by.limit}\`, or leave ${names} out of the list.`
    case "call":
      return `Add ${names} to the \`tools\` of that call.`
    case "caller":
      return `Add ${by.needs?.join(", ") ?? names} to the tools of "${by.agent}".`
    case "continued":
      return by.denied
        ? `A new run has ${them}: start one instead of continuing that run.`
        : "Start a new run instead of continuing that one."
    case "unoffered":
      return `Remove ${names} from the list.`
    case "absent":
      return `Set it up, or remove ${names} from the list.`
    case "foreign":
      return `Remove ${names} from the list.`
  }
}
